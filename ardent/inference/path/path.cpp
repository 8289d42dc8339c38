#include "ardent/inference/path/path.h"

#include <fmt/format.h>

#include <chrono>
#include <numbers>

#include "ardent/base/elementary.h"
#include "ardent/inference/engines/exact.h"
#include "ardent/inference/evidence/noise_prior.h"
#include "ardent/inference/evidence/primal_space.h"
#include "ardent/inference/evidence/standard_units.h"
#include "ardent/inference/evidence/trust.h"
#include "ardent/inference/path/path_choice.h"
#include "ardent/linalg/cholesky.h"

namespace ardent {
namespace {

constexpr Index kSteps = 60;
constexpr double kRatio = 1e-3;
constexpr Index kFolds = 5;
constexpr Index kCovarianceLimit = 2000;  // weights for which the covariance is formed

/// The problem with the target in standard units and the columns in the caller's.
StandardProblem own_units(const Design& design, const Target& target, const EngineOptions& options,
                          std::vector<std::string>& warnings) {
  StandardProblem standard = standardise(design, target, options, warnings);
  auto phi = standard.problem.phi->clone();
  phi->scale_columns(standard.units.column_rms(standard.problem.columns));
  standard.problem.phi = std::move(phi);
  standard.units.column_rms.setOnes();
  return standard;
}

/// The walk over all rows, at the stop that was chosen.
struct Walk {
  L1Solution solution;
  Vector penalties;
  bool stopped = false;
};

Walk walk_to(const PathPlace& place, const L1Problem& problem, const L1Solution& empty,
             const Vector& grid, const StandardProblem& standard, const EngineOptions& options,
             const ProgressCallback& progress, Report& report) {
  Walk walk;
  // Iterates beyond ℓ1's are needed at the last λ alone.
  const auto last = [&](const PathStop& stop) {
    walk.solution = stop.solution;
    walk.penalties = stop.penalties;
    if (stop.reweighting > 0) return stop.reweighting < place.reweighting;
    const auto active = static_cast<Index>(stop.solution.active.size());
    report.stages.push_back({stop.solution.point.log_likelihood - standard.problem.log_volume,
                             active, stop.solution.newton_steps, 0});
    if (options.keep_stages) {
      std::vector<Index> columns;
      for (const Index k : stop.solution.active) {
        columns.push_back(standard.problem.columns[static_cast<std::size_t>(k)]);
      }
      report.path.push_back(
          path_point(std::move(columns), stop.solution.w, stop.solution.bias, standard.units));
    }
    if (progress && !progress({"path", stop.step + 1, place.step + 1,
                               stop.solution.point.log_likelihood, active})) {
      walk.stopped = true;
    }
    return !walk.stopped;
  };
  walk_path(problem, empty, grid.head(place.step), 0, last);
  if (walk.stopped) return walk;
  const L1Solution before = place.step > 0 ? walk.solution : empty;
  walk_path(problem, before, grid.segment(place.step, 1), place.reweighting, last);
  return walk;
}

/// How far down the grid the largest model of at most `size` weights is.
Index step_of_size(Index size, Index reweighting, const L1Problem& problem, const L1Solution& empty,
                   const Vector& grid) {
  Index found = 0;
  walk_path(problem, empty, grid, reweighting, [&](const PathStop& stop) {
    if (stop.reweighting < reweighting) return true;
    if (static_cast<Index>(stop.solution.active.size()) > size) return false;
    found = stop.step;
    return true;
  });
  return found;
}

/// Where to stop, and a line on why.
PathPlace choose_place(const L1Problem& problem, const L1Solution& empty, const Vector& grid,
                       const EngineOptions& options, const ProgressCallback& progress,
                       Report& report) {
  const PathScores scores(problem, grid, options.reweightings, kFolds, options.seed, progress);
  if (scores.stopped()) {
    report.status = Status::stopped;
    return {};
  }
  PathPlace place;
  if (options.size > 0) {
    // One reweighting hardly changes which columns ℓ1 keeps: its step tells where to compare them.
    const Index plain = step_of_size(options.size, 0, problem, empty, grid);
    place.reweighting = scores.best_reweighting(plain);
    place.step = place.reweighting == 0
                     ? plain
                     : step_of_size(options.size, place.reweighting, problem, empty, grid);
  } else {
    place = scores.choose(options.rule, options.max_features);
  }
  report.notes.push_back(fmt::format("path: lambda {:.4g} of the largest, {} reweighting{}",
                                     grid[place.step] / grid[0], place.reweighting,
                                     place.reweighting == 1 ? "" : "s"));
  return place;
}

/// Σ⁻¹ = PhiᵀBPhi + A of the kept columns, the bias last with the engine's precision.
Matrix posterior_precision(const Design& kept, const Vector& curvature, const Vector& alpha,
                           const EngineOptions& options) {
  return bordered_hessian(kept, curvature, {alpha, options.bias, options.bias_precision});
}

/// Laplace's posterior about the solution, in standard units.
Posterior laplace_posterior(const Walk& walk, const StandardProblem& standard,
                            const EngineOptions& options, std::vector<std::string>& warnings) {
  const L1Solution& solution = walk.solution;
  const ActiveProblem& problem = standard.problem;
  const auto m = static_cast<Index>(solution.active.size());
  Posterior posterior;
  for (const Index k : solution.active) {
    posterior.active.push_back(problem.columns[static_cast<std::size_t>(k)]);
  }
  posterior.mean = solution.w;
  posterior.has_bias = options.bias;
  posterior.bias = solution.bias;
  posterior.plug_in = true;
  Vector alpha = solution.lambda * Vector(walk.penalties(solution.active));
  alpha.array() /= solution.w.array().abs();
  const auto kept = problem.phi->clone();
  kept->keep(solution.active);
  Vector diagonal;
  kept->weighted_square_norms(solution.point.curvature, diagonal);
  const bool joint = m <= kCovarianceLimit && m + (options.bias ? 1 : 0) > 0;
  double log_determinant = elementary::sum_of_logs(diagonal + alpha);
  Vector variance = (diagonal + alpha).cwiseInverse();
  if (options.bias) {
    const double own = solution.point.curvature.sum() + options.bias_precision;
    variance.conservativeResize(m + 1);
    variance[m] = 1 / own;
    log_determinant += elementary::log(own);
  }
  if (joint) {
    const Cholesky factor(posterior_precision(*kept, solution.point.curvature, alpha, options));
    warn_of_jitter(factor.jitter(), warnings);
    variance = factor.inverse_diagonal();
    log_determinant = factor.log_determinant();
    if (options.covariance) posterior.covariance = factor.inverse();
  }
  posterior.gamma = (1 - alpha.array() * variance.head(m).array()).max(0.0).min(1.0);
  double log_likelihood = solution.point.log_likelihood, noise = 1;
  if (problem.likelihood == Likelihood::gaussian) {
    const Vector error = problem.t - solution.point.f;
    const double squares = error.cwiseProduct(problem.row_weights).dot(error);
    const double rows = problem.row_count();
    warn_of_overfit({rows, posterior.gamma.sum(), squares}, warnings);
    noise = best_noise_variance(squares, rows - posterior.gamma.sum() - (options.bias ? 1 : 0));
    posterior.noise_variance = noise;
    log_likelihood =
        -0.5 * (rows * elementary::log(2 * std::numbers::pi * noise) + squares / noise);
    log_determinant -= static_cast<double>(variance.size()) * elementary::log(noise);
  }
  posterior.alpha = alpha / noise;
  posterior.variance = noise * variance;
  posterior.covariance *= noise;
  const double bias_term = options.bias ? elementary::log(options.bias_precision) -
                                              options.bias_precision * solution.bias * solution.bias
                                        : 0;
  posterior.log_evidence =
      log_likelihood - problem.log_volume -
      0.5 * (posterior.alpha.dot(solution.w.cwiseAbs2()) -
             elementary::sum_of_logs(posterior.alpha) - bias_term + log_determinant);
  return to_callers_units(std::move(posterior), standard.units);
}

}  // namespace

Fit fit_path(const Design& design, const Target& target, const EngineOptions& options,
             const ProgressCallback& progress) {
  const auto begin = std::chrono::steady_clock::now();
  validate(options);
  Fit fit;
  const StandardProblem standard = own_units(design, target, options, fit.report.warnings);
  if (standard.units.target_scale == 0 || standard.problem.active() == 0) {
    return fit_exact(design, target, options, progress);  // nothing but a bias to learn
  }
  const ActiveProblem& own = standard.problem;
  const L1Problem problem{*own.phi, own.likelihood, own.t, own.row_weights, options.bias};
  const L1Solution empty = empty_solution(problem);
  const Vector grid = lambda_grid(empty.lambda, kSteps, kRatio);
  const PathPlace place = choose_place(problem, empty, grid, options, progress, fit.report);
  const Walk walk = walk_to(place, problem, empty, grid, standard, options, progress, fit.report);
  const bool stopped = fit.report.status == Status::stopped || walk.stopped;
  fit.report.status = stopped ? Status::stopped : Status::converged;
  fit.posterior = laplace_posterior(walk, standard, options, fit.report.warnings);
  fit.report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return fit;
}

}  // namespace ardent
