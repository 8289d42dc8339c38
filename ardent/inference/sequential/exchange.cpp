#include "ardent/inference/sequential/exchange.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ardent {
namespace {

constexpr double kWorthExchanging = 1e-3;  // nats
constexpr double kMostWork = 1e10;         // multiplications a round

double work_of_a_round(const ActiveProblem& candidates, const SequentialModel& model) {
  const auto n = static_cast<double>(candidates.rows()),
             all = static_cast<double>(candidates.active());
  const auto m = static_cast<double>(model.active.size());
  return n * all * m * m;
}

/// Positions of the active bases, the one whose removal costs least first.
std::vector<Index> least_missed_first(const SequentialModel& model) {
  const BasisStatistics own = active_statistics(model.state);
  Vector cost(own.s.size());
  for (Index k = 0; k < cost.size(); ++k) {
    const double alpha = model.state.precisions.alpha[k];
    cost[k] = -precision_gain(own.s[k], own.q[k], alpha, std::numeric_limits<double>::infinity());
  }
  std::vector<Index> order(model.active.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return cost[a] < cost[b]; });
  return order;
}

/// The best addition that is none of the model's bases again, the one just taken out included;
/// nullptr: there is none.
const Action* best_other(const std::vector<Action>& actions, const ActiveProblem& candidates,
                         const SequentialModel& model) {
  for (const Action& action : actions) {
    if (action.kind != ActionKind::add) continue;
    if (!repeats_active(candidates, model, action.basis)) return &action;
  }
  return nullptr;
}

}  // namespace

bool exchange_one(const ActiveProblem& candidates, const EngineOptions& options, BasisScan& scan,
                  SequentialModel& model, Index& newton_steps) {
  if (work_of_a_round(candidates, model) > kMostWork) return false;
  const double needed = model.state.objective + kWorthExchanging;
  for (const Index position : least_missed_first(model)) {
    const Index removed = model.active[position];
    const SequentialModel without =
        applied(candidates, model, {ActionKind::remove, removed}, 1, options);
    const std::vector<Action> actions =
        possible_actions(without, scan.scan(without.state, without.active), options);
    newton_steps += without.state.mode.newton_steps;
    const Action* other = best_other(actions, candidates, model);
    if (!other) continue;
    SequentialModel next = applied(candidates, without, *other, 1, options);
    SequentialModel refined = applied(candidates, next, {ActionKind::re_estimate_all}, 1, options);
    newton_steps += next.state.mode.newton_steps + refined.state.mode.newton_steps;
    if (refined.state.objective > next.state.objective) next = std::move(refined);
    if (!(next.state.objective >= needed)) continue;
    model = std::move(next);
    return true;
  }
  return false;
}

}  // namespace ardent
