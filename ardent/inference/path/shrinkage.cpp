#include "ardent/inference/path/shrinkage.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

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
constexpr double kMostRegressionWork = 1e11;  // multiplications of a Gram matrix
/// As far as rounding lets it: whatever it starts from, and in whatever order sums are added, the
/// model predicts the same but for some 1e-10 (docs/scaling.md).
constexpr RidgePrecision kAllRows{.tolerance = 1e-12, .forcing = 1e-2, .least_forcing = 1e-5};

/// The mode of all rows for this α, from `start`, as a solution of all columns.
L1Solution ridge_mode(const ActiveProblem& problem, double alpha, RidgePoint start,
                      const EngineOptions& options) {
  LockstepRidge ridge(*problem.phi, problem.t, problem.row_weights, options.bias,
                      options.bias_precision);
  if (start.b.size() > 0) ridge.set_point(std::move(start));
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

/// A regression's, and what follows from it.
L1Solution ridge_solution(const ActiveProblem& problem, const RidgeFamily& family, double alpha) {
  RidgeFamily::Weights weights = family.weights(alpha);
  L1Solution mode;
  mode.active = index_range(0, problem.active());
  mode.w = std::move(weights.w);
  mode.bias = weights.bias;
  problem.phi->multiply(mode.w, mode.point.f);
  mode.point.f.array() += mode.bias;
  MapObjective(*problem.phi, problem.likelihood, problem.t, problem.row_weights, 1)
      .evaluate(mode.point);
  return mode;
}

/// `unit`: α of strength 1.
double regression_evidence(const Design& design, const Target& target, const RidgeFamily& family,
                           double unit, const EngineOptions& options) {
  double gain = -std::numeric_limits<double>::infinity();
  const StrengthWalk walk;
  for (const double strength : walk.grid()) {
    gain = std::max(gain, family.log_evidence_over_bias(strength * unit));
  }
  return gain + bias_log_evidence(design, target, options);
}

void check_regression(const Design& design) {
  refuse_shared_rows(design, "the engine shrinkage, of a regression");
  const auto n = static_cast<double>(design.rows()), m = static_cast<double>(design.cols());
  if (n * m * std::min(n, m) <= kMostRegressionWork) return;
  throw InputError(fmt::format(
      "the engine shrinkage needs eigenvectors of the smaller side of a regression's columns, "
      "which {} × {} are too many for: use the engine path or diagonal",
      design.rows(), design.cols()));
}

}  // namespace

ShrinkageOnFolds fit_shrinkage_on_folds(const Design& design, const Target& target,
                                        const EngineOptions& options,
                                        const ProgressCallback& progress,
                                        const std::optional<double>& given) {
  const Stopwatch stopwatch;
  validate(options);
  ShrinkageOnFolds result;
  Fit& fit = result.fit;
  const StandardProblem standard =
      with_callers_columns(design, target, options, fit.report.warnings);
  const ActiveProblem& own = standard.problem;
  if (own.active() == 0) return {{fit_exact(design, target, options, progress), {}}};
  const bool regression = target.likelihood == Likelihood::gaussian;
  if (regression && standard.units.target_scale == 0) {
    return {{fit_exact(design, target, options, progress), {}}};  // nothing but a bias to learn
  }
  if (regression) check_regression(*own.phi);
  std::optional<RidgeFamily> family;
  if (regression) family.emplace(own, options.bias);
  const StrengthChoice choice =
      regression ? choose_strength(own, *family, kShrinkageFolds, options)
                 : choose_strength(own, kShrinkageFolds, options, progress, given);
  result.losses = choice.losses;
  result.by_row = choice.by_row;
  result.strength = choice.strength;
  result.held_out = choice.held_out;
  const L1Solution mode = regression ? ridge_solution(own, *family, choice.alpha)
                                     : ridge_mode(own, choice.alpha, choice.start, options);
  const double held_out = std::accumulate(choice.losses.begin(), choice.losses.end(), 0.0);
  fit.posterior = mode_posterior(mode, Vector::Constant(own.active(), choice.alpha),
                                 regression ? held_out / own.row_count() : 0, standard, options,
                                 fit.report.warnings);
  result.log_evidence = regression ? regression_evidence(design, target, *family,
                                                         choice.alpha / choice.strength, options)
                                   : fit.posterior.log_evidence;
  fit.report.stages.push_back({fit.posterior.log_evidence, own.active(), mode.newton_steps, 0});
  if (options.keep_stages) {
    fit.report.path.push_back(path_point(own.columns, mode.w, mode.bias, standard.units));
  }
  fit.report.status = choice.stopped ? Status::stopped : Status::converged;
  fit.report.notes.push_back(
      regression ? fmt::format("shrinkage: one penalty {:.4g} for all weights", choice.alpha)
                 : fmt::format("shrinkage: one precision {:.4g} for all weights (l2's C = {:.4g})",
                               choice.alpha, 1 / choice.alpha));
  const double scale = standard.units.target_scale;
  for (double& loss : result.losses) loss *= scale * scale;
  result.by_row *= scale * scale;
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
