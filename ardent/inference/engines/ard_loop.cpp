#include "ardent/inference/engines/ard_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "ardent/base/elementary.h"
#include "ardent/base/parallel.h"
#include "ardent/base/stopwatch.h"
#include "ardent/design/with_bias.h"
#include "ardent/inference/engines/ard_checkpoint.h"
#include "ardent/inference/engines/exact.h"
#include "ardent/inference/evidence/noise_prior.h"
#include "ardent/inference/evidence/precision_update.h"
#include "ardent/inference/evidence/standard_units.h"
#include "ardent/inference/evidence/support_pruning.h"
#include "ardent/inference/evidence/trust.h"
#include "ardent/linalg/cholesky.h"

namespace ardent {
namespace {

constexpr Index kStageLimit = 100;
constexpr double kLoopTolerance = 1e-3;
constexpr Index kSettled = 3;             // stages until columns are dropped by their cost
constexpr double kFinestMode = 1e-8;      // tolerance of a mode
constexpr double kMostDropped = 0.2;      // of the columns, in a stage
constexpr Index kCovarianceLimit = 2000;  // weights for which the final covariance is formed

ArdState first_state(const StandardProblem& standard, const EngineOptions& options) {
  const auto start = standard_start(standard, options);
  const ActiveProblem problem =
      start ? restricted(standard.problem, start->positions) : standard.problem;
  ArdState state;
  state.phi = problem.phi->clone();
  state.columns = problem.columns;
  state.bias = options.bias;
  state.likelihood = problem.likelihood;
  state.t = problem.t;
  state.row_weights = problem.row_weights;
  state.support = problem.support;
  state.noise_variance = state.support.matters() ? 1 : kFirstNoiseVariance;
  state.alpha = Vector::Constant(state.active() + (state.bias ? 1 : 0), options.alpha_init);
  if (state.bias) {
    state.phi = std::make_unique<WithBias>(std::move(state.phi));
    state.alpha[state.active()] = options.bias_precision;
  }
  state.point.w = Vector::Zero(state.alpha.size());
  state.point.f = Vector::Zero(problem.rows());
  if (start) {
    state.noise_variance = start->noise_variance;
    state.alpha.head(state.active()) = start->alpha;
    state.point.w.head(state.active()) = start->w;
    if (state.bias) state.point.w[state.active()] = start->bias;
    state.phi->multiply(state.point.w, state.point.f);
  }
  state.objective().evaluate(state.point);
  return state;
}

/// Keeps the weights at these positions, and f = Phi w with them.
void keep(ArdState& state, const std::vector<Index>& kept, ArdMethod& method) {
  std::vector<Index> positions = kept;
  if (state.bias) positions.push_back(state.active());
  state.phi->keep(positions);
  std::vector<Index> columns;
  for (const Index k : kept) columns.push_back(state.columns[k]);
  state.columns = std::move(columns);
  state.alpha = Vector(state.alpha(positions));
  state.point.w = Vector(state.point.w(positions));
  state.phi->multiply(state.point.w, state.point.f);
  method.keep(positions);
}

enum class StageEnd { moved, converged, all_pruned };

/// More columns than half of the rows, with a price per column: some are to go before the noise can
/// be estimated.
bool crowded(const ArdState& state) {
  return state.support.matters() && 2 * state.active() > state.phi->all_rows();
}

/// Makes the precisions of columns that are worth less than they cost infinite.
void drop_costly_columns(const ArdState& state, Vector& updated) {
  const Index m = state.active();
  const double cost = state.support.cost(m);
  std::vector<std::pair<double, Index>> costly;
  for (Index k = 0; k < m; ++k) {
    const double data = state.hessian_diagonal[k] - state.alpha[k], w = state.point.w[k];
    const double full = w * state.hessian_diagonal[k];
    const double gain = data > 0 ? best_gain(full * (full / data)) : 0;
    if (gain <= cost) costly.emplace_back(gain, k);
  }
  const auto most =
      std::max<std::size_t>(1, static_cast<std::size_t>(kMostDropped * static_cast<double>(m)));
  std::ranges::sort(costly);
  costly.resize(std::min(costly.size(), most));
  for (const auto& [gain, k] : costly) updated[k] = std::numeric_limits<double>::infinity();
}

/// Every column of classes seems worth next to nothing: so it looks where columns are nearly the
/// same as the bias or each other, and their weights have hardly begun to move when the mode is
/// found to its tolerance. Then the mode is to be found to more digits before anything is believed.
bool is_suspicious(const ArdState& state, const Vector& updated) {
  constexpr double kLeap = 1e4;
  return state.likelihood == Likelihood::bernoulli && state.mode_tolerance > kFinestMode &&
         updated.size() > 1 &&
         (updated.array() > kLeap * state.alpha.head(updated.size()).array()).all();
}

/// The A-stage: new precisions, pruning, compaction. `change` becomes max |Δ log alpha|.
StageEnd update_precisions(ArdState& state, const EngineOptions& options, ArdMethod& method,
                           bool settled, double& change) {
  const Index m = state.active();
  Vector updated = method.updated_alpha(state);
  if (is_suspicious(state, updated)) {
    state.mode_tolerance *= 0.01;
    return StageEnd::moved;
  }
  if (settled && state.support.candidates() > 0) drop_costly_columns(state, updated);
  std::vector<Index> kept;
  change = 0;
  for (Index k = 0; k < m; ++k) {
    if (!(updated[k] <= options.alpha_max)) continue;  // also where w_k = 0 made it infinite
    kept.push_back(k);
    change = std::max(change, std::abs(elementary::log(updated[k] / state.alpha[k])));
  }
  if (kept.empty()) return StageEnd::all_pruned;
  const bool pruned = std::ssize(kept) < m;
  if (!pruned && change < options.tolerance) return StageEnd::converged;
  // The noise belongs to the mode just found, with its own precisions and all of its columns.
  if (state.likelihood == Likelihood::gaussian && !crowded(state)) update_noise(state);
  state.alpha.head(m) = updated;
  if (pruned) keep(state, kept, method);
  state.objective().evaluate(state.point);
  return StageEnd::moved;
}

Status run_stages(ArdState& state, const StandardUnits& units, const EngineOptions& options,
                  ArdMethod& method, const ProgressCallback& progress, double log_volume,
                  Report& report) {
  const Index limit = stage_limit(options, kStageLimit);
  double change = 0;
  for (Index stage = 1 + take_up_state(state, method, change, report, options);; ++stage) {
    const Index steps = method.find_mode(state);
    const double evidence = measure(state) - log_volume;
    report.stages.push_back({evidence, state.active(), steps, change});
    if (options.keep_stages) {
      const Index m = state.active();
      const double bias = state.bias ? state.point.w[m] : 0;
      report.path.push_back(path_point(state.columns, state.point.w.head(m), bias, units));
    }
    if (progress && !progress({method.name(), stage, limit, evidence, state.active()})) {
      return Status::stopped;
    }
    if (stage >= limit) return Status::iteration_limit;
    if (state.active() == 0) return Status::converged;
    switch (update_precisions(state, options, method, stage >= kSettled, change)) {
      case StageEnd::converged:
        return Status::converged;
      case StageEnd::all_pruned:
        report.warnings.push_back(fmt::format(
            "every weight would be pruned; keeping the {} of the last stage: the columns may have "
            "nothing to say about the target, or the engine may not suit the problem",
            state.active()));
        return Status::stalled;
      case StageEnd::moved:
        leave_state(state, method, stage, change, report, options);
        break;
    }
  }
}

/// ‖t − f‖² of a Gaussian target.
std::optional<double> square_sum(const ArdState& state) {
  if (state.likelihood != Likelihood::gaussian) return std::nullopt;
  const Vector error = state.t - state.point.f;
  return state.phi->over_rows(error.cwiseProduct(state.row_weights).dot(error));
}

Posterior final_posterior(ArdState& state, const StandardUnits& units, double log_volume,
                          bool covariance, std::vector<std::string>& warnings) {
  Posterior posterior;
  const Index m = state.active();
  posterior.active = state.columns;
  posterior.has_bias = state.bias;
  posterior.mean = state.point.w.head(m);
  posterior.bias = state.bias ? state.point.w[m] : 0.0;
  posterior.alpha = state.alpha.head(m);
  posterior.noise_variance = state.likelihood == Likelihood::gaussian ? state.noise_variance : 0.0;
  posterior.log_evidence = measure(state) - log_volume;
  posterior.variance = state.hessian_diagonal.cwiseInverse();
  if (covariance && m <= kCovarianceLimit && state.alpha.size() > 0) {
    Matrix hessian;
    state.phi->weighted_gram(state.point.curvature, hessian);
    hessian.diagonal() += state.alpha;
    const Cholesky factor(hessian);
    warn_of_jitter(factor.jitter(), warnings);
    posterior.covariance = factor.inverse();
    posterior.variance = posterior.covariance.diagonal();
    posterior.log_evidence +=
        0.5 * (elementary::sum_of_logs(state.hessian_diagonal) - factor.log_determinant());
  }
  posterior.gamma =
      (1 - posterior.alpha.array() * posterior.variance.head(m).array()).max(0.0).min(1.0);
  // Without the covariance γ is that of the Hessian's diagonal, which is too high: more than the
  // rows there are cannot be spent, and of classes, whose weights are many and weak, it says
  // nothing.
  if (posterior.covariance.size() > 0 || state.likelihood == Likelihood::gaussian) {
    const double rows = state.phi->over_rows(state.row_weights.sum());
    const double spent = std::min(posterior.gamma.sum(), rows);
    warn_of_overfit({rows, spent, square_sum(state)}, warnings);
  }
  return to_callers_units(std::move(posterior), units);
}

}  // namespace

double measure(ArdState& state) {
  state.phi->weighted_square_norms(state.point.curvature, state.hessian_diagonal);
  state.hessian_diagonal += state.alpha;
  const auto& w = state.point.w.array();
  return state.point.log_likelihood -
         0.5 * ((state.alpha.array() * w.square()).sum() +
                elementary::sum_of_logs(state.hessian_diagonal.cwiseQuotient(state.alpha)));
}

void update_noise(ArdState& state) {
  const double rows = state.phi->over_rows(state.row_weights.sum());
  const double spent = (1 - state.alpha.array() / state.hessian_diagonal.array()).max(0.0).sum();
  const double squares = *square_sum(state);
  state.noise_variance =
      std::max(best_noise_variance(squares, rows - std::min(spent, 0.5 * rows)), kNoiseFloor);
}

Fit run_ard_loop(const Design& design, const Target& target, const EngineOptions& given,
                 ArdMethod& method, const ProgressCallback& progress) {
  const Stopwatch watch;
  validate(given);
  const EngineOptions options = with_tolerance(given, kLoopTolerance);
  Fit fit;
  StandardProblem standard = standardise(design, target, options, fit.report.warnings);
  StandardUnits& units = standard.units;
  if (units.target_scale == 0) {
    // A constant target leaves nothing to learn: exact knows what to say about it.
    return fit_exact(design, target, given, progress);
  }
  const double log_volume = standard.problem.log_volume;
  fit.report.candidates = standard.problem.support.candidates();
  ArdState state = first_state(standard, options);
  standard.problem.phi.reset();  // the state has its own, and compacts it
  fit.report.status = run_stages(state, units, options, method, progress, log_volume, fit.report);
  fit.posterior =
      final_posterior(state, units, log_volume, options.covariance, fit.report.warnings);
  fit.report.seconds = watch.seconds();
  return fit;
}

}  // namespace ardent
