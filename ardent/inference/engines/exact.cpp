#include "ardent/inference/engines/exact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ardent/base/error.h"
#include "ardent/base/stopwatch.h"
#include "ardent/inference/evidence/copied_columns.h"
#include "ardent/inference/evidence/exact_recovery.h"
#include "ardent/inference/evidence/precision_update.h"
#include "ardent/inference/evidence/rounding_floor.h"
#include "ardent/inference/evidence/saved_climb.h"
#include "ardent/inference/evidence/standard_units.h"
#include "ardent/inference/evidence/support_pruning.h"
#include "ardent/inference/path/path_starts.h"
#include "ardent/inference/sequential/sequential.h"

namespace ardent {
namespace {

constexpr Index kManyRowsEach = 10;   // rows per column, for a climb from all columns
constexpr double kSmallCosine = 0.2;  // of chance among some thousands of columns of 500 rows
constexpr Index kExactStages = 1000;
constexpr double kExactTolerance = 1e-7;
constexpr double kMemoryLimit = 8.0 * (1 << 30);

/// What a climb carries from stage to stage beside its state.
struct Course {
  double gain = std::numeric_limits<double>::infinity();  // of the last stage
  Stretch stretch;
  RoundingFloor floor;

  std::vector<double> numbers() const {
    return {gain, stretch.own, stretch.mackay, floor.least, floor.stages};
  }
  static Course of(const std::vector<double>& n) {
    if (n.size() != 5) throw InputError("a checkpoint of the engine exact has other numbers");
    return {n[0], {n[1], n[2]}, {n[3], n[4]}};
  }
};

EvidenceState state_at(const ActiveProblem& problem, const StandardStart& start,
                       const EngineOptions& options) {
  EvidenceState state =
      evaluate(restricted(problem, start.positions), {start.alpha, start.noise_variance}, options);
  find_relevance(state);
  return state;
}

EvidenceState first_evidence_state(const StandardProblem& standard, const EngineOptions& options) {
  const ActiveProblem& problem = standard.problem;
  const auto start = standard_start(standard, options);
  if (start) return state_at(problem, *start, options);
  const Vector alpha = Vector::Constant(problem.active(), options.alpha_init);
  EvidenceState state = evaluate(problem, {alpha, kFirstNoiseVariance}, options);
  find_relevance(state);
  return state;
}

/// Stages until one of the stopping rules holds; `state` ends at the last one that was accepted.
/// Which rule holds first is up to the last bits, so each of them asks for columns that are not
/// worth their cost, and goes on without these.
Status climb(EvidenceState& state, const StandardUnits& units, const EngineOptions& options,
             const ClimbCheckpoint& checkpoint, const ProgressCallback& progress, Course course,
             Report& report) {
  const Index limit = stage_limit(options, kExactStages);
  for (Index stage = std::ssize(report.stages) + 1; stage <= limit; ++stage) {
    const double before = state.objective;
    const StageResult result =
        update_precisions(state, options, course.gain < kSlowGain, &course.stretch);
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
        if (drop_costly(state, options)) break;
        return Status::stalled;
      case StageOutcome::moved:
        break;
    }
    course.gain = state.objective - before;
    report.stages.push_back({state.log_evidence, state.problem.active(), result.newton_steps,
                             result.change, state.objective});
    if (options.keep_stages) report.path.push_back(path_point(state, units));
    if (progress &&
        !progress({"exact", stage, limit, state.log_evidence, state.problem.active()})) {
      return Status::stopped;
    }
    if (course.floor.reached(result.change)) {
      if (!drop_costly(state, options)) return Status::converged;
      course.floor = {};
    }
    if (checkpoint.due(stage)) {
      state = checkpoint.renewed(stage, state, course.numbers(), report).state;
    }
  }
  return Status::iteration_limit;
}

std::shared_ptr<const StartingPoint> starting_point_of(const Posterior& found) {
  return std::make_shared<const StartingPoint>(
      StartingPoint{found.active, found.alpha, found.mean, found.bias, found.noise_variance});
}

/// The climb's report, with the warnings that there were before it.
void take_report(Report climbed, Report& report) {
  climbed.warnings.insert(climbed.warnings.begin(), report.warnings.begin(), report.warnings.end());
  climbed.candidates = report.candidates;
  report = std::move(climbed);
}

/// A climb that ended, with its report.
struct Climb {
  EvidenceState state;
  Report report;
};

/// Where a checkpoint has this climb, from there on. `name`: the climb's, there.
Climb climb_from(EvidenceState state, const std::string& name, const StandardUnits& units,
                 const EngineOptions& options, const ProgressCallback& progress) {
  const ClimbCheckpoint checkpoint(part_of(options.checkpoint, name), state.problem, options);
  Climb result{std::move(state), {}};
  Course course;
  if (auto left = checkpoint.found()) {
    result = {std::move(left->state), std::move(left->report)};
    if (left->finished) return result;
    course = Course::of(left->carried);
  }
  result.report.status =
      climb(result.state, units, options, checkpoint, progress, course, result.report);
  if (!checkpoint || result.report.status == Status::stopped) return result;
  const Index stages = std::ssize(result.report.stages);
  SavedClimb last = checkpoint.renewed(stages + 1, result.state, {}, result.report, true);
  return {std::move(last.state), std::move(last.report)};
}

/// Whether ℓ1 would find the columns that growing has found (exact_recovery.h).
bool grown_is_recovered(const EvidenceState& grown, const ActiveProblem& problem, bool bias) {
  if (problem.likelihood != Likelihood::gaussian) return false;
  std::vector<Index> positions;
  for (const Index column : grown.problem.columns) {
    positions.push_back(std::ranges::lower_bound(problem.columns, column) -
                        problem.columns.begin());
  }
  const Recovery recovery = recovery_of(problem, positions, bias);
  return recovery.coefficient < 1 && recovery.cosine < kSmallCosine;
}

/// Where columns have a price: from what growing finds and, unless ℓ1 would find the same, from
/// supports of its path, which does better where columns are correlated; where columns are few
/// against the rows from all of them, too (many would use up the rows before the first is pruned).
/// The highest objective stands.
Climb climb_from_best_start(const Design& design, const Target& target,
                            const StandardProblem& standard, const EngineOptions& options,
                            const ProgressCallback& progress) {
  const ActiveProblem& problem = standard.problem;
  const StandardUnits& units = standard.units;
  if (!problem.support.matters() || options.starting_point) {
    return climb_from(first_evidence_state(standard, options), "climb", units, options, progress);
  }
  EngineOptions growing = options;
  growing.checkpoint = part_of(options.checkpoint, "growing");
  const Fit grown = fit_sequential(design, target, growing, progress);
  EngineOptions from_grown = options;
  from_grown.starting_point = starting_point_of(grown.posterior);
  Climb best{first_evidence_state(standard, from_grown), grown.report};
  double to_beat = best.state.objective;
  if (grown.report.status == Status::stalled) {
    // One column at alpha_max stands for none at all, which costs nothing.
    to_beat += problem.support.cost(0);
  } else if (grown.report.status == Status::converged) {
    best = climb_from(std::move(best.state), "climb of what grew", units, from_grown, progress);
    to_beat = best.state.objective;
  }
  Index challenges = 0;
  const auto challenge = [&](EvidenceState start) {
    if (best.report.status == Status::stopped) return;
    const std::string name = fmt::format("climb {}", ++challenges);
    Climb other = climb_from(std::move(start), name, units, options, progress);
    const bool stopped = other.report.status == Status::stopped;
    if (!stopped && !(other.state.objective > to_beat)) return;
    to_beat = other.state.objective;
    best = std::move(other);
  };
  const bool recovered = grown.report.status == Status::converged &&
                         grown_is_recovered(best.state, problem, options.bias);
  if (!recovered) {
    for (const StandardStart& start : path_starts(problem, options.bias)) {
      challenge(state_at(problem, start, options));
    }
  }
  if (kManyRowsEach * problem.active() <= problem.rows())
    challenge(first_evidence_state(standard, options));
  return best;
}

EvidenceState constant_target(ActiveProblem problem, const EngineOptions& options,
                              StandardUnits& units, Report& report) {
  settle_constant_target(problem, units, report.warnings);
  EvidenceState state = evaluate(restricted(problem, {}), {Vector(), kNoiseFloor}, options);
  find_relevance(state);
  return state;
}

}  // namespace

void check_memory(std::string_view engine, Index rows, Index active) {
  const double n = static_cast<double>(rows), m = static_cast<double>(active);
  const double smaller = std::min(n, m);
  const double bytes = 8 * (4 * smaller * smaller + (m > n ? n * m : 0));
  if (bytes <= kMemoryLimit) return;
  throw InputError(fmt::format(
      "the engine {} would need about {:.0f} GiB for a design of {} × {} and stops at {:.0f}: it "
      "is for up to some thousands of columns or rows; use fewer columns (a subset of features, "
      "basis points or hidden nodes) or fewer rows",
      engine, std::ceil(bytes / (1 << 30)), rows, active, kMemoryLimit / (1 << 30)));
}

Fit fit_exact(const Design& given_design, const Target& target, const EngineOptions& given,
              const ProgressCallback& progress) {
  refuse_shared_rows(given_design, "the engine exact");
  const Stopwatch watch;
  validate(given);
  EngineOptions options = with_tolerance(given, kExactTolerance);
  // The engines that this one asks, too, work by products with the design, wherever it is.
  const std::shared_ptr<Accelerator> device = std::move(options.accelerator);
  std::unique_ptr<Design> moved;
  if (device && given_design.cols() > 0) moved = device->dense_design(given_design);
  const Design& design = moved ? *moved : given_design;
  Fit fit;
  StandardProblem standard = standardise(design, target, options, fit.report.warnings);
  const ActiveProblem& problem = standard.problem;
  StandardUnits& units = standard.units;
  if (moved) {
    standard.problem.device = device;
  } else {
    check_memory("exact", problem.rows(), problem.active());
  }
  if (const CopiedColumns copies(given_design); copies.are_any()) {
    return copies.fit(fit_exact, given_design, target, given, progress);
  }
  fit.report.candidates = problem.support.candidates();
  EvidenceState state;
  if (units.target_scale == 0) {
    state = constant_target(problem, options, units, fit.report);
    fit.report.status = Status::converged;
  } else {
    Climb climbed = climb_from_best_start(design, target, standard, options, progress);
    state = std::move(climbed.state);
    take_report(std::move(climbed.report), fit.report);
    warn_of_overfit(spent_rows(state), fit.report.warnings);
    warn_of_jitter(state.space->jitter(), fit.report.warnings);
  }
  if (options.keep_stages && fit.report.path.empty()) {
    fit.report.path.push_back(path_point(state, units));
  }
  fit.posterior = to_posterior(state, units);
  fit.report.seconds = watch.seconds();
  return fit;
}

double bias_log_evidence(const Design& design, const Target& target, EngineOptions options) {
  options.support_prior = SupportChoice::none;  // there is nothing to have a price
  options.checkpoint = nullptr;
  const auto no_columns = design.clone();
  no_columns->keep({});
  return fit_exact(*no_columns, target, options, {}).posterior.log_evidence;
}

}  // namespace ardent
