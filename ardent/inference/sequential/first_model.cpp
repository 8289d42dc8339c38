#include "ardent/inference/sequential/first_model.h"

#include <cmath>
#include <limits>

#include "ardent/inference/evidence/precision_update.h"

namespace ardent {
namespace {

/// Only the last weight, which is never removed, can be without any say.
bool nothing_to_say(const SequentialModel& model, const EngineOptions& options) {
  if (model.active.size() != 1) return false;
  const BasisStatistics own = active_statistics(model.state);
  const double best = best_precision(own.s[0], own.q[0], options.alpha_max);
  const double gain =
      precision_gain(own.s[0], own.q[0], std::numeric_limits<double>::infinity(), best);
  const double cost = model.state.problem.support.cost(0);
  return std::isinf(best) || (cost > 0 && gain <= cost);
}

}  // namespace

SequentialModel bias_alone(const ActiveProblem& candidates, double noise_variance,
                           const EngineOptions& options) {
  SequentialModel model{{},
                        evaluate(restricted(candidates, {}), {Vector(), noise_variance}, options)};
  find_relevance(model.state);
  return model;
}

SequentialModel constant_model(ActiveProblem& candidates, const EngineOptions& options,
                               StandardUnits& units, std::vector<std::string>& warnings) {
  settle_constant_target(candidates, units, warnings);
  return bias_alone(candidates, kNoiseFloor, options);
}

SequentialModel first_model(const StandardProblem& standard, const EngineOptions& options) {
  const ActiveProblem& candidates = standard.problem;
  const auto start = standard_start(standard, options);
  // A price on columns is in nats of the noise: from a noise of a tenth the first ones would be
  // ten times too cheap.
  const double noise = candidates.support.matters() ? 1 : kFirstNoiseVariance;
  if (!start) return bias_alone(candidates, noise, options);
  SequentialModel model{start->positions, evaluate(restricted(candidates, start->positions),
                                                   {start->alpha, start->noise_variance}, options)};
  find_relevance(model.state);
  return model;
}

Action first_action(const SequentialModel& empty, const BasisStatistics& statistics,
                    const EngineOptions& options) {
  for (const Action& action : possible_actions(empty, statistics, options)) {
    if (action.kind == ActionKind::add) return action;
  }
  Index best = 0;
  statistics.q.cwiseAbs2().cwiseQuotient(statistics.s).maxCoeff(&best);
  return {ActionKind::add, best, options.alpha_max};
}

void warn_of_end(const SequentialModel& model, const EngineOptions& options, Report& report) {
  if (nothing_to_say(model, options)) {
    report.warnings.emplace_back(
        "every weight would be pruned; keeping the best one alone: the columns may have nothing to "
        "say about the target");
    if (report.status == Status::converged) report.status = Status::stalled;
  }
  warn_of_overfit(spent_rows(model.state), report.warnings);
  warn_of_jitter(model.state.space->jitter(), report.warnings);
}

}  // namespace ardent
