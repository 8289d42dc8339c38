#include "ardent/inference/doubly_sparse/chain_notes.h"

#include <algorithm>

#include "ardent/base/elementary.h"
#include "ardent/inference/doubly_sparse/masked_distances.h"

namespace ardent::doubly_sparse {
namespace {

std::vector<std::uint32_t> narrow(const std::vector<Index>& indices) {
  return {indices.begin(), indices.end()};
}

/// States that a chain gives to prediction, at most.
Index wanted_draws(const ChainOptions& options) {
  return std::min(options.sweeps, std::max<Index>(1, options.draws / options.chains));
}

/// Keeps the present state, sweep number `place` after burn-in, where it is one of those that are
/// spread evenly.
void keep_draw(ChainTrace& trace, Index place, const ChainOptions& options) {
  const Index wanted = wanted_draws(options);
  if (!options.until_agreement) {
    // Draw number d is the sweep at which d+1 shares of the sweeps are through.
    if ((place + 1) * wanted / options.sweeps > place * wanted / options.sweeps) {
      trace.draws.push_back(trace.state);
    }
    return;
  }
  // The end is not known: every stride-th sweep, and half of them once there are too many.
  Index stride = 1;
  while (place / stride >= 2 * wanted) stride *= 2;
  if (std::ssize(trace.draws) == 2 * wanted) {
    for (Index d = 0; d < wanted; ++d) trace.draws[d] = std::move(trace.draws[2 * d + 1]);
    trace.draws.resize(wanted);
  }
  if ((place + 1) % stride == 0) trace.draws.push_back(trace.state);
}

}  // namespace

void thin_draws(ChainTrace& trace, const ChainOptions& options) {
  const Index wanted = wanted_draws(options), count = std::ssize(trace.draws);
  if (!options.until_agreement || count <= wanted) return;
  for (Index d = 0; d < wanted; ++d) {
    trace.draws[d] = trace.draws[(d + 1) * count / wanted - 1];
  }
  trace.draws.resize(wanted);
}

void note(ChainTrace& trace, const SweepCounts& counts, double log_likelihood, double log_joint,
          const ChainOptions& options) {
  const KernelState& state = trace.state;
  const Index place = trace.kept();
  trace.log_likelihood.push_back(log_likelihood);
  trace.log_delta.push_back(elementary::log(state.delta));
  trace.xi.push_back(state.xi);
  trace.noise_variance.push_back(state.noise_variance);
  trace.features.push_back(narrow(indices_on(state.features)));
  std::vector<std::uint32_t> basis = narrow(state.basis);
  std::sort(basis.begin(), basis.end());
  trace.basis.push_back(std::move(basis));
  trace.feature_flips += counts.feature_flips;
  trace.basis_flips += counts.births + counts.deaths;
  trace.delta_accepted += counts.delta_accepted;
  keep_draw(trace, place, options);
  if (log_joint > trace.best_log_joint) {
    trace.best_log_joint = log_joint;
    trace.best = state;
  }
}

}  // namespace ardent::doubly_sparse
