// How strongly to shrink, and how sure to be, by the log loss of rows that folds hold out
// (shrinkage.h).
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
  double scale = 1;     // f is multiplied by it
  RidgePoint start;     // the folds' mean at the best strength of the grid: one lane; or none
  Vector held_out;      // f of each row by the fold that holds it out, there; not scaled
  std::vector<double> losses;  // of each fold, at the strength that the others choose
  double loss = 0;             // per held-out row at the best strength of the grid
  bool stopped = false;        // by `progress`
  /// What was compared: strengths a₀ and the log losses of the held-out rows of each fold.
  std::vector<double> strengths = {};
  std::vector<Lanes> scores = {};
  std::vector<double> scales = {};  // the best of each strength
};

/// What folds are asked.
struct StrengthQuestion {
  /// The only strength that folds are fitted with. They are left out where a class has a single
  /// row: then `held_out` is the bias.
  std::optional<double> given = std::nullopt;
  bool scaled = false;  // how sure to be, too; not where several models are calibrated together
};

/// `problem`: of classes; its columns in the units that are to be penalised alike.
StrengthChoice choose_strength(const ActiveProblem& problem, Index folds,
                               const EngineOptions& options, const ProgressCallback& progress,
                               const StrengthQuestion& question = {});

/// The factor of f, at least 1, at which these rows are likeliest, under a prior that holds it near
/// 1: log s ~ N(0, ½²). Rows that f tells apart without a mistake would ask for an infinite one.
double likeliest_scale(const Vector& t, const Vector& f, const Vector& row_weights);

/// Where the parabola through three losses at steps −1, 0 and 1, the middle one the least, has its
/// minimum: from −½ to ½.
double parabola_minimum(double before, double least, double after);

}  // namespace ardent
