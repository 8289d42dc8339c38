// How strongly to shrink, by the log loss of rows that folds hold out (shrinkage.h).
#pragma once

#include <vector>

#include "ardent/base/progress.h"
#include "ardent/inference/evidence/evidence.h"
#include "ardent/inference/path/lockstep_ridge.h"

namespace ardent {

struct StrengthChoice {
  double alpha = 0;            // of all weights
  RidgePoint start;            // the folds' mean at the best strength of the grid: one lane
  std::vector<double> losses;  // of each fold, at the strength that the others choose
  double loss = 0;             // per held-out row at the best strength of the grid
  bool stopped = false;        // by `progress`
  /// What was compared: strengths a₀ and the log losses of the held-out rows of each fold.
  std::vector<double> strengths = {};
  std::vector<Lanes> scores = {};
};

/// `problem`: of classes; its columns in the units that are to be penalised alike.
StrengthChoice choose_strength(const ActiveProblem& problem, Index folds,
                               const EngineOptions& options, const ProgressCallback& progress);

/// Where the parabola through three losses at steps −1, 0 and 1, the middle one the least, has its
/// minimum: from −½ to ½.
double parabola_minimum(double before, double least, double after);

}  // namespace ardent
