#include "ardent/inference/path/shrinkage.h"

#include <fmt/format.h>

#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/base/stopwatch.h"
#include "ardent/inference/engines/exact.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/inference/path/path_posterior.h"
#include "ardent/inference/path/strength_choice.h"

namespace ardent {
namespace {

constexpr Index kShrinkageFolds = 5;
constexpr RidgePrecision kAllRows{.tolerance = 1e-8, .forcing = 1e-2};

/// The mode of all rows for this α, from `start`, as a solution of all columns.
L1Solution ridge_mode(const ActiveProblem& problem, double alpha, RidgePoint start,
                      const EngineOptions& options) {
  LockstepRidge ridge(*problem.phi, problem.t, problem.row_weights, options.bias,
                      options.bias_precision);
  if (start.a.size() > 0) ridge.set_point(std::move(start));
  L1Solution mode;
  mode.newton_steps = ridge.minimise(alpha, kAllRows);
  mode.active = index_range(0, problem.active());
  mode.w = ridge.weights();
  mode.bias = ridge.point().b[0];
  mode.point.f = ridge.point().f;
  MapObjective(*problem.phi, problem.likelihood, problem.t, problem.row_weights, 1)
      .evaluate(mode.point);
  return mode;
}

}  // namespace

ShrinkageOnFolds fit_shrinkage_on_folds(const Design& design, const Target& target,
                                        const EngineOptions& options,
                                        const ProgressCallback& progress,
                                        const std::optional<double>& given) {
  if (target.likelihood != Likelihood::bernoulli) {
    throw InputError("the engine shrinkage is for classes, not for a regression");
  }
  const Stopwatch stopwatch;
  validate(options);
  ShrinkageOnFolds result;
  Fit& fit = result.fit;
  const StandardProblem standard =
      with_callers_columns(design, target, options, fit.report.warnings);
  const ActiveProblem& own = standard.problem;
  if (own.active() == 0) return {{fit_exact(design, target, options, progress), {}}};
  const StrengthChoice choice = choose_strength(own, kShrinkageFolds, options, progress, given);
  result.losses = choice.losses;
  result.strength = choice.strength;
  result.held_out = choice.held_out;
  const L1Solution mode = ridge_mode(own, choice.alpha, choice.start, options);
  fit.posterior = mode_posterior(mode, Vector::Constant(own.active(), choice.alpha), 0, standard,
                                 options, fit.report.warnings);
  fit.report.stages.push_back({fit.posterior.log_evidence, own.active(), mode.newton_steps, 0});
  if (options.keep_stages) {
    fit.report.path.push_back(path_point(own.columns, mode.w, mode.bias, standard.units));
  }
  fit.report.status = choice.stopped ? Status::stopped : Status::converged;
  fit.report.notes.push_back(
      fmt::format("shrinkage: one precision {:.4g} for all weights (l2's C = {:.4g})", choice.alpha,
                  1 / choice.alpha));
  fit.report.seconds = stopwatch.seconds();
  return result;
}

ShrinkageFolds shrinkage_folds(const Design& design, const Target& target,
                               const EngineOptions& options, const std::optional<double>& given) {
  std::vector<std::string> warnings;
  const StandardProblem standard = with_callers_columns(design, target, options, warnings);
  const StrengthChoice choice =
      choose_strength(standard.problem, kShrinkageFolds, options, {}, given);
  return {choice.loss, choice.strength, choice.held_out};
}

Fit fit_shrinkage(const Design& design, const Target& target, const EngineOptions& options,
                  const ProgressCallback& progress) {
  return fit_shrinkage_on_folds(design, target, options, progress).fit;
}

}  // namespace ardent
