// Classification by sparse representation: a row y is coded over the training rows, and the classes
// of the atoms that it takes vote.
//
// Two votes:
//   coefficients  as published (section 4): ABS_k = Σ |θ_i| over the atoms of class k (eq. 53),
//                 prob_k = ABS_k/‖ABS‖₂, the largest wins (eq. 54). Probabilities that sum to one
//                 are ABS_k/ΣABS instead; the order is the same.
//   residual      r_k² = min ‖y − Φ_k w‖²/‖y‖² over weights w of the atoms of class k in the code:
//                 which class explains the row best on its own. p_k ∝ r_k^(−2c): Gaussian residuals
//                 of unknown variance, were 2c of their entries independent; c is fitted on
//                 training rows that the dictionary did not see (dictionary_training.h).
// Either way one part in a hundred is spread evenly so that no probability is zero. A row whose
// code is zero is taken to use the atom nearest in angle, and a warning counts such rows.
#pragma once

#include "ardent/model/model.h"
#include "ardent/model/prediction.h"

namespace ardent {

struct CodedSignals;

/// r_k² of each row (rows × classes); 1 for a class without an atom in the row's code.
Matrix class_residuals(const Basis& basis, Index classes, const Features& rows,
                       const CodedSignals& coded);

/// p_k ∝ r_k^(−2 sharpness), a part spread evenly.
Matrix residual_probabilities(const Matrix& residuals, double sharpness);

/// Of rows whose columns are the model's inputs, scaled.
Prediction predict_by_dictionary(const Model& model, const Features& scaled);

/// Throws InputError if classes or coding options of the atoms make no sense.
void check_dictionary(const Model& model);

}  // namespace ardent
