#include "ardent/inference/sequential/sequential.h"

#include <algorithm>
#include <cmath>

#include "ardent/base/stopwatch.h"
#include "ardent/inference/evidence/precision_update.h"
#include "ardent/inference/evidence/saved_climb.h"
#include "ardent/inference/evidence/standard_units.h"
#include "ardent/inference/sequential/actions.h"
#include "ardent/inference/sequential/exchange.h"
#include "ardent/inference/sequential/first_model.h"
#include "ardent/inference/sequential/make_scan.h"
#include "ardent/inference/sequential/top_down_start.h"

namespace ardent {
namespace {

constexpr Index kStepLimit = 5000;
constexpr double kSequentialTolerance = 1e-3;
constexpr double kRounding = 1e-9;      // of |E|
constexpr int kMostNoiseHalvings = 10;  // of a change of the noise
constexpr Index kStepsOfAStage = 20;    // to a checkpoint, which scans all from scratch

/// By how much the evidence must rise for the action to stand.
double needed_rise(const Action& action, const EvidenceState& state) {
  const double rounding = kRounding * std::max(1.0, std::abs(state.log_evidence));
  const bool gaussian = state.problem.likelihood == Likelihood::gaussian;
  switch (action.kind) {
    case ActionKind::re_estimate_all:
      return action.gain;
    case ActionKind::remove:
      return -kWorthKeeping - rounding;
    case ActionKind::add:
      return gaussian ? -rounding : worthwhile_gain(state.log_evidence);
    default:
      return gaussian ? -rounding : rounding;
  }
}

/// Does the action if that raises the evidence; else the model stays as it is.
bool take(const Action& action, const ActiveProblem& candidates, const EngineOptions& options,
          SequentialModel& model, Index& newton_steps) {
  const double needed = model.state.objective + needed_rise(action, model.state);
  const int halvings = action.kind == ActionKind::noise ? kMostNoiseHalvings : 0;
  double length = 1;
  for (int halving = 0; halving <= halvings; ++halving, length /= 2) {
    SequentialModel next = applied(candidates, model, action, length, options);
    newton_steps += next.state.mode.newton_steps;
    if (!(next.state.objective >= needed)) continue;
    model = std::move(next);
    return true;
  }
  return false;
}

/// The first of the actions that raises the evidence is done; nullptr: none does.
const Action* take_best(const std::vector<Action>& actions, const ActiveProblem& candidates,
                        const EngineOptions& options, SequentialModel& model, Index& newton_steps) {
  const bool bernoulli = candidates.likelihood == Likelihood::bernoulli;
  bool all_tried = false;
  for (const Action& action : actions) {
    if (action.kind == ActionKind::add && repeats_active(candidates, model, action.basis)) continue;
    if (bernoulli && action.kind == ActionKind::re_estimate && !all_tried) {
      Action all = action;
      all.kind = ActionKind::re_estimate_all;
      all_tried = true;
      if (take(all, candidates, options, model, newton_steps)) return &action;
    }
    if (take(action, candidates, options, model, newton_steps)) return &action;
  }
  return nullptr;
}

SequentialModel grown_model(const ActiveProblem& candidates, EvidenceState state) {
  SequentialModel model{positions_in(candidates, state.problem.columns), {}};
  model.state = std::move(state);
  return model;
}

/// Steps until one of the stopping rules holds; `model` ends at the last one that was accepted.
Status climb(const ActiveProblem& candidates, const StandardUnits& units,
             const EngineOptions& options, const ClimbCheckpoint& checkpoint,
             const ProgressCallback& progress, Index done, SequentialModel& model, Report& report) {
  auto scan = make_basis_scan(candidates);
  const Index limit = stage_limit(options, kStepLimit);
  for (Index step = done + 1; step <= limit; ++step) {
    const BasisStatistics statistics = scan->scan(model.state, model.active);
    Index newton_steps = 0;
    double change = 0;
    if (model.active.empty() && candidates.active() > 0) {
      const Action first = first_action(model, statistics, options);
      model = applied(candidates, model, first, 1, options);
      newton_steps = model.state.mode.newton_steps;
      change = first.change;
    } else {
      const std::vector<Action> actions = possible_actions(model, statistics, options);
      const Action* taken = take_best(actions, candidates, options, model, newton_steps);
      if (taken) {
        change = taken->change;
      } else if (!exchange_one(candidates, options, *scan, model, newton_steps)) {
        return Status::converged;
      }
    }
    const EvidenceState& state = model.state;
    report.stages.push_back(
        {state.log_evidence, state.problem.active(), newton_steps, change, state.objective});
    if (options.keep_stages) report.path.push_back(path_point(state, units));
    if (progress &&
        !progress({"sequential", step, limit, state.log_evidence, state.problem.active()})) {
      return Status::stopped;
    }
    if (step % kStepsOfAStage == 0 && checkpoint.due(step / kStepsOfAStage)) {
      const std::vector carried{static_cast<double>(step)};
      model = grown_model(candidates, checkpoint.renewed(step, model.state, carried, report).state);
      scan = make_basis_scan(candidates);
    }
  }
  return Status::iteration_limit;
}

/// The climb from where a checkpoint has it, or from `model`; its report is `report`.
void climb_on(const ActiveProblem& candidates, const StandardUnits& units,
              const EngineOptions& options, const ClimbCheckpoint& checkpoint,
              const ProgressCallback& progress, SequentialModel& model, Report& report) {
  Index done = 0;
  if (auto left = checkpoint.found()) {
    model = grown_model(candidates, std::move(left->state));
    left->report.candidates = report.candidates;
    report = std::move(left->report);
    if (left->finished) return;
    done = left->carried.empty() ? 0 : static_cast<Index>(left->carried.front());
  }
  report.status = climb(candidates, units, options, checkpoint, progress, done, model, report);
  if (!checkpoint || report.status == Status::stopped) return;
  const Index stage = std::ssize(report.stages) + 1;
  SavedClimb last = checkpoint.renewed(stage, model.state, {}, report, true);
  model = grown_model(candidates, std::move(last.state));
}

/// Climbs from the other end, too, and keeps the better one, with its report.
void start_again(const ActiveProblem& candidates, const StandardUnits& units,
                 const EngineOptions& options, const ProgressCallback& progress,
                 SequentialModel& model, Report& report) {
  bool stopped = false;
  const ProgressCallback watch = [&](const ProgressEvent& event) {
    stopped = progress && !progress(event);
    return !stopped;
  };
  const ClimbCheckpoint checkpoint(part_of(options.checkpoint, "second start"), candidates,
                                   options);
  auto left = checkpoint.found();
  auto pruned = left ? grown_model(candidates, std::move(left->state))
                     : pruned_from_many(candidates, model.active, options, watch);
  if (pruned) {
    Report own;  // of a climb that is taken up, what the checkpoint has
    own.stages.push_back({pruned->state.log_evidence, pruned->state.problem.active(), 0, 0,
                          pruned->state.objective});
    if (options.keep_stages) own.path.push_back(path_point(pruned->state, units));
    climb_on(candidates, units, options, checkpoint, watch, *pruned, own);
    if (pruned->state.objective > model.state.objective) {
      model = std::move(*pruned);
      report.status = own.status;
      report.stages = std::move(own.stages);
      report.path = std::move(own.path);
    }
  }
  if (stopped) report.status = Status::stopped;
}

}  // namespace

Fit fit_sequential(const Design& design, const Target& target, const EngineOptions& given,
                   const ProgressCallback& progress) {
  refuse_shared_rows(design, "the engine sequential");
  const Stopwatch watch;
  validate(given);
  const EngineOptions options = with_tolerance(given, kSequentialTolerance);
  Fit fit;
  StandardProblem standard = standardise(design, target, options, fit.report.warnings);
  ActiveProblem& candidates = standard.problem;
  StandardUnits& units = standard.units;
  fit.report.candidates = candidates.support.candidates();
  SequentialModel model;
  if (units.target_scale == 0) {
    model = constant_model(candidates, options, units, fit.report.warnings);
    fit.report.status = Status::converged;
  } else {
    model = first_model(standard, options);
    const ClimbCheckpoint checkpoint(part_of(options.checkpoint, "first start"), candidates,
                                     options);
    climb_on(candidates, units, options, checkpoint, progress, model, fit.report);
    const bool again =
        options.second_start && !options.starting_point && !candidates.support.matters();
    if (again && fit.report.status == Status::converged) {
      start_again(candidates, units, options, progress, model, fit.report);
    }
    warn_of_end(model, options, fit.report);
  }
  fit.posterior = to_posterior(model.state, units);
  fit.report.seconds = watch.seconds();
  return fit;
}

}  // namespace ardent
