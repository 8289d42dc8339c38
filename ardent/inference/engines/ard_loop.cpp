#include "ardent/inference/engines/ard_loop.h"

#include <fmt/format.h>

#include <optional>

#include "ardent/base/elementary.h"
#include "ardent/base/stopwatch.h"
#include "ardent/design/with_bias.h"
#include "ardent/inference/engines/ard_checkpoint.h"
#include "ardent/inference/engines/ard_stages.h"
#include "ardent/inference/engines/exact.h"
#include "ardent/inference/evidence/precision_update.h"
#include "ardent/inference/evidence/standard_units.h"
#include "ardent/inference/evidence/trust.h"
#include "ardent/linalg/cholesky.h"

namespace ardent {
namespace {

constexpr Index kStageLimit = 100;
constexpr double kLoopTolerance = 1e-3;
constexpr double kEvidenceTolerance = 1e-5;  // nats a row
constexpr Index kFewestStagesOfALooseStart = 20;
constexpr Index kSettled = 3;             // stages until columns are dropped by their cost
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
  state.loose_start = !start && state.active() > state.phi->all_rows() && !options.keep_stages &&
                      stage_limit(options, kStageLimit) >= kFewestStagesOfALooseStart;
  return state;
}

enum class StageEnd { moved, converged, all_pruned };

/// When the stages have converged.
struct Ending {
  double change;    // max |Δ log alpha|, where no column is pruned any more
  double evidence;  // nats of a stage; 0: by the change alone
};

/// The engine's own, or the tolerance that was asked for.
Ending ending_of(const ArdMethod& method, const ArdState& state, const EngineOptions& given) {
  if (given.tolerance > 0) return {given.tolerance, 0};
  if (!method.ends_by_evidence()) return {kLoopTolerance, 0};
  return {0, kEvidenceTolerance * state.phi->over_rows(state.row_weights.sum())};
}

/// Whether the evidence of the last two stages changed less than that.
bool is_quiet(const std::vector<Stage>& stages, double evidence) {
  const std::size_t count = stages.size();
  if (evidence == 0 || count < 3) return false;
  const auto rise = [&](std::size_t s) {
    return std::abs(stages[s].log_evidence - stages[s - 1].log_evidence);
  };
  return rise(count - 1) < evidence && rise(count - 2) < evidence;
}

/// The A-stage: new precisions, pruning, compaction. `change` becomes max |Δ log alpha|.
StageEnd update_precisions(ArdStages& stages, const Ending& ending, const Report& report,
                           bool settled, double& change) {
  const PrecisionProposal proposal = stages.propose(settled);
  if (proposal.suspicious) {
    stages.refine_mode();
    return StageEnd::moved;
  }
  change = proposal.change;
  if (proposal.kept == 0) return StageEnd::all_pruned;
  if (proposal.kept == stages.active() && change < ending.change) return StageEnd::converged;
  if (proposal.promise < ending.evidence && is_quiet(report.stages, ending.evidence)) {
    return StageEnd::converged;
  }
  stages.accept();
  return StageEnd::moved;
}

Status run_stages(ArdStages& stages, Index first, const StandardUnits& units,
                  const EngineOptions& options, const Ending& ending, const ArdMethod& method,
                  const ProgressCallback& progress, double log_volume, double change,
                  Report& report) {
  const Index limit = stage_limit(options, kStageLimit);
  for (Index stage = first;; ++stage) {
    const Index steps = stages.find_mode();
    const double evidence = stages.measure() - log_volume;
    report.stages.push_back({evidence, stages.active(), steps, change});
    if (options.keep_stages) {
      const ArdState& state = stages.state_here();
      const Index m = state.active();
      const double bias = state.bias ? state.point.w[m] : 0;
      report.path.push_back(path_point(state.columns, state.point.w.head(m), bias, units));
    }
    if (progress && !progress({method.name(), stage, limit, evidence, stages.active()})) {
      return Status::stopped;
    }
    if (stage >= limit) return Status::iteration_limit;
    if (stages.active() == 0) return Status::converged;
    switch (update_precisions(stages, ending, report, stage >= kSettled, change)) {
      case StageEnd::converged:
        return Status::converged;
      case StageEnd::all_pruned:
        report.warnings.push_back(fmt::format(
            "every weight would be pruned; keeping the {} of the last stage: the columns may have "
            "nothing to say about the target, or the engine may not suit the problem",
            stages.active()));
        return Status::stalled;
      case StageEnd::moved:
        leave_state(stages, method, stage, change, report, options);
        break;
    }
  }
}

Posterior final_posterior(ArdStages& stages, const StandardUnits& units, double log_volume,
                          bool covariance, std::vector<std::string>& warnings) {
  const double log_evidence = stages.measure() - log_volume;
  const bool form_covariance = covariance && stages.active() <= kCovarianceLimit;
  const ArdState& state = form_covariance ? stages.state_and_design_here() : stages.state_here();
  Posterior posterior;
  const Index m = state.active();
  posterior.active = state.columns;
  posterior.has_bias = state.bias;
  posterior.mean = state.point.w.head(m);
  posterior.bias = state.bias ? state.point.w[m] : 0.0;
  posterior.alpha = state.alpha.head(m);
  posterior.noise_variance = state.likelihood == Likelihood::gaussian ? state.noise_variance : 0.0;
  posterior.log_evidence = log_evidence;
  posterior.variance = state.hessian_diagonal.cwiseInverse();
  if (form_covariance && state.alpha.size() > 0) {
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
    const bool gaussian = state.likelihood == Likelihood::gaussian;
    warn_of_overfit({rows, spent, gaussian ? std::optional(square_sum(state)) : std::nullopt},
                    warnings);
  }
  return to_callers_units(std::move(posterior), units);
}

}  // namespace

Fit run_ard_loop(const Design& design, const Target& target, const EngineOptions& options,
                 ArdMethod& method, const ProgressCallback& progress) {
  const Stopwatch watch;
  validate(options);
  Fit fit;
  StandardProblem standard = standardise(design, target, options, fit.report.warnings);
  StandardUnits& units = standard.units;
  if (units.target_scale == 0) {
    // A constant target leaves nothing to learn: exact knows what to say about it.
    return fit_exact(design, target, options, progress);
  }
  const double log_volume = standard.problem.log_volume;
  fit.report.candidates = standard.problem.support.candidates();
  ArdState state = first_state(standard, options);
  standard.problem.phi.reset();  // the state has its own, and compacts it
  double change = 0;
  const Index first = 1 + take_up_state(state, method, change, fit.report, options);
  const Ending ending = ending_of(method, state, options);
  const auto stages = method.stages(state, options);
  fit.report.status = run_stages(*stages, first, units, options, ending, method, progress,
                                 log_volume, change, fit.report);
  fit.posterior =
      final_posterior(*stages, units, log_volume, options.covariance, fit.report.warnings);
  fit.report.passes = stages->passes();
  fit.report.seconds = watch.seconds();
  return fit;
}

}  // namespace ardent
