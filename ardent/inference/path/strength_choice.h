// How strongly to shrink, by what folds hold out: log loss, or the squared error of a
// regression (shrinkage.h).
#pragma once

#include <optional>

#include "ardent/base/progress.h"
#include "ardent/inference/evidence/evidence.h"
#include "ardent/inference/path/ridge_family.h"
#include "ardent/inference/path/strength_walk.h"

namespace ardent {

struct StrengthChoice : StrengthScores {
  double alpha = 0;      // of all weights
  RidgePoint start;      // the folds' mean at the best strength of the grid: one lane; or none
  Vector held_out;       // f of each row by the fold that holds it out, at that strength
  bool stopped = false;  // by `progress`
};

/// `problem`: of classes; its columns in the units that are to be penalised alike. A strength that
/// is `given` is the only one that folds are fitted with, and they are left out where a class has a
/// single row: then `held_out` is the bias.
StrengthChoice choose_strength(const ActiveProblem& problem, Index folds,
                               const EngineOptions& options, const ProgressCallback& progress,
                               const std::optional<double>& given = {});

/// Of a regression: squared errors of held-out rows. `family`: of the same problem.
StrengthChoice choose_strength(const ActiveProblem& problem, const RidgeFamily& family, Index folds,
                               const EngineOptions& options);

}  // namespace ardent
