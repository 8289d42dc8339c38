#include "ardent/inference/engines/exact.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "ardent/base/error.h"
#include "ardent/inference/evidence/precision_update.h"
#include "ardent/inference/sequential/sequential.h"
#include "ardent/inference/evidence/standard_units.h"
#include "ardent/inference/evidence/support_pruning.h"

namespace ardent {
namespace {

constexpr Index kExactStages = 1000;
constexpr double kExactTolerance = 1e-7;
constexpr double kMemoryLimit = 8.0 * (1 << 30);

/// Four square matrices of the smaller side (Gram or kernel, H, its factor, an inverse); the dual
/// space also reads Phi as dense columns.
void check_memory(Index rows, Index active) {
  const double n = static_cast<double>(rows), m = static_cast<double>(active);
  const double smaller = std::min(n, m);
  const double bytes = 8 * (4 * smaller * smaller + (m > n ? n * m : 0));
  if (bytes <= kMemoryLimit) return;
  throw InputError(fmt::format(
      "the exact engine would need about {:.0f} GiB for a design of {} × {} and stops at {:.0f}: "
      "it "
      "is for up to some thousands of columns or rows; offer fewer columns (a subset of features, "
      "basis points or hidden nodes) or fewer rows",
      std::ceil(bytes / (1 << 30)), rows, active, kMemoryLimit / (1 << 30)));
}

/// Steps shrink until they are rounding, which may be more than the tolerance: those of modes that
/// Newton's method ends a little beside.
class RoundingFloor {
 public:
  /// True once steps below 1e-3 have not become smaller for 25 stages.
  bool reached(double change) {
    if (!(change < kSmall)) return false;
    if (change < kSmaller * least_) {
      least_ = change;
      stages_ = 0;
    }
    return ++stages_ > kPatience;
  }

 private:
  static constexpr double kSmall = 1e-3, kSmaller = 0.9;
  static constexpr int kPatience = 25;
  double least_ = std::numeric_limits<double>::infinity();
  int stages_ = 0;
};

EvidenceState first_evidence_state(const StandardProblem& standard, const EngineOptions& options) {
  const ActiveProblem& problem = standard.problem;
  const auto start = standard_start(standard, options);
  const Vector alpha = Vector::Constant(problem.active(), options.alpha_init);
  EvidenceState state = start ? evaluate(restricted(problem, start->positions),
                                         {start->alpha, start->noise_variance}, options)
                              : evaluate(problem, {alpha, kFirstNoiseVariance}, options);
  find_relevance(state);
  return state;
}

/// Stages until one of the stopping rules holds; `state` ends at the last one that was accepted.
Status climb(EvidenceState& state, const StandardUnits& units, const EngineOptions& options,
             const ProgressCallback& progress, Report& report) {
  double gain = std::numeric_limits<double>::infinity();
  Stretch stretch;
  RoundingFloor floor;
  const Index limit = stage_limit(options, kExactStages);
  for (Index stage = 1; stage <= limit; ++stage) {
    const double before = state.objective;
    const StageResult result = update_precisions(state, options, gain < kSlowGain, &stretch);
    switch (result.outcome) {
      case StageOutcome::converged:
        if (drop_costly(state, options)) break;
        return Status::converged;
      case StageOutcome::all_pruned:
        report.warnings.push_back(
            fmt::format("every weight would be pruned; keeping the {} of the last stage: the "
                        "columns may have nothing to say about the target",
                        state.problem.active()));
        return Status::stalled;
      case StageOutcome::no_rise:
        return Status::stalled;
      case StageOutcome::moved:
        break;
    }
    gain = state.objective - before;
    report.stages.push_back(
        {state.log_evidence, state.problem.active(), result.newton_steps, result.change});
    if (options.keep_stages) report.path.push_back(path_point(state, units));
    if (progress &&
        !progress({"exact", stage, limit, state.log_evidence, state.problem.active()})) {
      return Status::stopped;
    }
    if (floor.reached(result.change)) return Status::converged;
  }
  return Status::iteration_limit;
}

/// What growing from nothing ends with, as a place to begin.
std::shared_ptr<const StartingPoint> grown(const Design& design, const Target& target,
                                           const EngineOptions& options,
                                           const ProgressCallback& progress) {
  const Posterior found = fit_sequential(design, target, options, progress).posterior;
  return std::make_shared<const StartingPoint>(
      StartingPoint{found.active, found.alpha, found.mean, found.bias, found.noise_variance});
}

/// Where columns have a price, begins with what growing finds. Where they are few against the rows
/// it begins with all of them, too, and the higher objective stands; many would use up the rows
/// before the first is pruned.
EvidenceState climb_from_best_start(const Design& design, const Target& target,
                                    const StandardProblem& standard, const EngineOptions& options,
                                    const ProgressCallback& progress, Report& report) {
  EngineOptions own = options;
  const ActiveProblem& problem = standard.problem;
  const bool grow = problem.support.matters() && !options.starting_point;
  if (grow) own.starting_point = grown(design, target, options, progress);
  EvidenceState state = first_evidence_state(standard, own);
  report.status = climb(state, standard.units, own, progress, report);
  if (!grow || 2 * problem.active() > problem.rows() || report.status == Status::stopped) {
    return state;
  }
  Report other;
  EvidenceState pruned = first_evidence_state(standard, options);
  other.status = climb(pruned, standard.units, options, progress, other);
  if (!(pruned.objective > state.objective)) return state;
  other.candidates = report.candidates;
  other.warnings.insert(other.warnings.begin(), report.warnings.begin(), report.warnings.end());
  report = std::move(other);
  return pruned;
}

EvidenceState constant_target(ActiveProblem problem, const EngineOptions& options,
                              StandardUnits& units, Report& report) {
  settle_constant_target(problem, units, report.warnings);
  EvidenceState state = evaluate(restricted(problem, {}), {Vector(), kNoiseFloor}, options);
  find_relevance(state);
  return state;
}

}  // namespace

Fit fit_exact(const Design& design, const Target& target, const EngineOptions& given,
              const ProgressCallback& progress) {
  const auto begin = std::chrono::steady_clock::now();
  validate(given);
  const EngineOptions options = with_tolerance(given, kExactTolerance);
  Fit fit;
  StandardProblem standard = standardise(design, target, options, fit.report.warnings);
  const ActiveProblem& problem = standard.problem;
  StandardUnits& units = standard.units;
  check_memory(problem.rows(), problem.active());
  fit.report.candidates = problem.support.candidates();
  EvidenceState state;
  if (units.target_scale == 0) {
    state = constant_target(problem, options, units, fit.report);
    fit.report.status = Status::converged;
  } else {
    state = climb_from_best_start(design, target, standard, options, progress, fit.report);
    warn_of_overfit(spent_rows(state), fit.report.warnings);
    warn_of_jitter(state.space->jitter(), fit.report.warnings);
  }
  if (options.keep_stages && fit.report.path.empty()) {
    fit.report.path.push_back(path_point(state, units));
  }
  fit.posterior = to_posterior(state, units);
  fit.report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return fit;
}

}  // namespace ardent
