// How strongly to shrink, by the log loss of rows that folds hold out (shrinkage.h).
#pragma once

#include <optional>
#include <vector>

#include "ardent/base/progress.h"
#include "ardent/inference/evidence/evidence.h"
#include "ardent/inference/path/lockstep_ridge.h"

namespace ardent {

struct StrengthChoice {
  double alpha = 0;     // of all weights
  double strength = 0;  // a₀ of that
  RidgePoint start;     // the folds' mean at the best strength of the grid: one lane; or none
  Vector held_out;      // f of each row by the fold that holds it out, at that strength
  std::vector<double> losses;  // of each fold, at the strength that the others choose
  double loss = 0;             // per held-out row at the best strength of the grid
  bool stopped = false;        // by `progress`
  /// What was compared: strengths a₀ and the log losses of the held-out rows of each fold.
  std::vector<double> strengths = {};
  std::vector<Lanes> scores = {};
};

/// `problem`: of classes; its columns in the units that are to be penalised alike. A strength that
/// is `given` is the only one that folds are fitted with, and they are left out where a class has a
/// single row: then `held_out` is the bias.
StrengthChoice choose_strength(const ActiveProblem& problem, Index folds,
                               const EngineOptions& options, const ProgressCallback& progress,
                               const std::optional<double>& given = {});

/// Where the parabola through three losses at steps −1, 0 and 1, the middle one the least, has its
/// minimum: from −½ to ½.
double parabola_minimum(double before, double least, double after);

}  // namespace ardent
