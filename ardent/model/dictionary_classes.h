// Classification by sparse representation: a row is coded over the training rows, and the classes
// of the atoms that it takes vote (paper, section 4).
//
//   ABS_k  = Σ |θ_i| over the atoms of class k                              (eq. 53)
//   prob_k = ABS_k/‖ABS‖₂, and the class is the largest                      (eq. 54)
// Probabilities that sum to one are ABS_k/ΣABS instead, with one part in a hundred spread evenly so
// that none is zero; the order of classes is the same. A row whose code is zero takes the class of
// the atom nearest in angle, and a warning counts such rows.
#pragma once

#include "ardent/model/model.h"
#include "ardent/model/predict.h"

namespace ardent {

/// Of rows whose columns are the model's inputs, scaled.
Prediction predict_by_dictionary(const Model& model, const Features& scaled);

/// Throws InputError if classes or coding options of the atoms make no sense.
void check_dictionary(const Model& model);

}  // namespace ardent
