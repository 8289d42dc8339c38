#include "ardent/inference/evidence/support_pruning.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "ardent/base/elementary.h"
#include "ardent/inference/evidence/precision_update.h"

namespace ardent {
namespace {

/// Positions of the columns that are worth less than they cost, the least valuable first.
std::vector<Index> costly_columns(const EvidenceState& state) {
  const Index m = state.problem.active();
  const double cost = m > 0 ? state.problem.support.cost(m - 1) : 0;
  std::vector<Index> found;
  if (cost <= 0) return found;
  Vector gain(m);
  for (Index k = 0; k < m; ++k) {
    // q²/s = alpha w²/(γ(1 − γ)) (precision_update.h)
    const double gamma = std::max(state.relevance.gamma[k], kSmallestGamma);
    const double penalty = state.precisions.alpha[k] * state.w[k] * state.w[k];
    gain[k] = best_gain(penalty / (gamma * (1 - gamma)));
    if (gain[k] < cost) found.push_back(k);
  }
  std::ranges::stable_sort(found, [&](Index a, Index b) { return gain[a] < gain[b]; });
  if (static_cast<Index>(found.size()) == m) found.pop_back();
  return found;
}

EvidenceState state_without(const EvidenceState& state, std::vector<Index> dropped,
                            const EngineOptions& options) {
  std::ranges::sort(dropped);
  std::vector<Index> kept;
  for (Index k = 0; k < state.problem.active(); ++k) {
    if (!std::ranges::binary_search(dropped, k)) kept.push_back(k);
  }
  const Vector start = state.w(kept);
  return evaluate(restricted(state.problem, kept),
                  {state.precisions.alpha(kept), state.precisions.noise_variance}, options,
                  &state.mode, &start);
}

}  // namespace

double best_gain(double signal) {
  if (!(signal > 1)) return 0;
  return std::isfinite(signal) ? (signal - 1 - elementary::log(signal)) / 2 : signal;
}

bool drop_costly(EvidenceState& state, const EngineOptions& options) {
  std::vector<Index> dropped = costly_columns(state);
  while (!dropped.empty()) {
    EvidenceState candidate = state_without(state, dropped, options);
    if (candidate.objective > state.objective) {
      find_relevance(candidate);
      state = std::move(candidate);
      return true;
    }
    dropped.resize(dropped.size() / 2);
  }
  return false;
}

}  // namespace ardent
