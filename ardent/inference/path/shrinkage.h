// Engine "shrinkage": one precision for all weights, as strong as held-out rows approve.
//
// Where the truth is many weak columns (text) nothing is to be selected: ℓ2-penalised logistic
// regression, every weight w_k ~ N(0, 1/α) in the caller's units, is hard to beat. It is the
// evidence's first stage with its strength learnt. The strength is
//
//   a₀ = α/ave_i‖φ_i‖²,   one over the prior variance of f averaged over rows
//
// so that it does not depend on the unit of the columns. Five stratified folds walk down from
// a₀ = 100 by factors of √10, all in lockstep (lockstep_ridge.h), each strength started from the
// one before, until two in a row have not lowered the log loss of held-out rows. The best strength
// is moved to the minimum of the parabola through it and its neighbours, and all rows are fitted
// from the mean of the folds' weights.
//
// A regression: ridge regression by the squared error of held-out rows, every strength and fold
// from one factorisation of the smaller side (ridge_family.h).
//
// The posterior is Laplace's about the mode (path_posterior.h). Probabilities are those of the
// mode, as the folds have them. Cost: some hundred products with Phi and Phiᵀ for five vectors
// each, of which the entries are read once; N numbers for each of a dozen vectors and five of
// length M.
#pragma once

#include <optional>

#include "ardent/inference/target_folds.h"

namespace ardent {

struct ShrinkageOnFolds : FitOnFolds {
  /// Of one precision for all columns: classes at the strength that folds chose, a regression at
  /// the one where it is highest, and the noise, too.
  double log_evidence = 0;
  double strength = 0;   // a₀; 0 where there was no column to shrink
  Vector held_out = {};  // f of each row by the fold that does not know it
};

/// Classes: with a strength that is `given` there is nothing to choose: folds say only what they
/// predict.
ShrinkageOnFolds fit_shrinkage_on_folds(const Design& design, const Target& target,
                                        const EngineOptions& options = {},
                                        const ProgressCallback& progress = {},
                                        const std::optional<double>& given = {});

/// What folds say, without the fit of all rows: of the best strength of their grid, or of the
/// given.
struct ShrinkageFolds {
  double loss = 0;  // log loss per held-out row
  double strength = 0;
  Vector held_out;
};

ShrinkageFolds shrinkage_folds(const Design& design, const Target& target,
                               const EngineOptions& options,
                               const std::optional<double>& given = {});

Fit fit_shrinkage(const Design& design, const Target& target, const EngineOptions& options = {},
                  const ProgressCallback& progress = {});

}  // namespace ardent
