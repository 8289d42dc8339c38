// What a chain's trace consists of, for checkpoints and for other processes: one description for
// both directions, of a stream that takes field, list and each (base/packed.h).
#pragma once

#include "ardent/inference/doubly_sparse/chain_trace.h"

namespace ardent::doubly_sparse {

template <class Stream, class State>
void transfer_state(Stream& stream, State& state) {
  stream.list("states.features_on", state.features);
  stream.list("states.basis", state.basis);
  stream.list("states.weights", state.alpha);
  stream.field("states.bias", state.bias);
  stream.field("states.delta", state.delta);
  stream.field("states.xi", state.xi);
  stream.field("states.noise_variance", state.noise_variance);
  // Files of before features had widths of their own have none.
  if constexpr (requires { stream.list_if_there("states.scales", state.scales); }) {
    stream.list_if_there("states.scales", state.scales);
  } else {
    stream.list("states.scales", state.scales);
  }
}

/// The states of a chain are its present one, its companions', its draws and its best, in this
/// order.
template <class Stream, class Trace>
void transfer(Stream& stream, Trace& trace, bool adaptive) {
  const auto state = [](auto& s, auto& value) { transfer_state(s, value); };
  stream.field("sweeps_done", trace.done);
  transfer_state(stream, trace.state);
  stream.field("delta_step", trace.delta_step);
  if (adaptive) {
    stream.field("burn_from", trace.burn_from);
    stream.field("burned", trace.burned);
    stream.list("inclusion", trace.inclusion);
    stream.each("companions", trace.hot, [](auto& s, auto& rung) {
      transfer_state(s, rung.state);
      s.field("companion_steps", rung.delta_step);
      s.list("inclusion", rung.inclusion);
    });
    stream.field("exchanges", trace.exchanges);
  }
  stream.list("log_likelihood", trace.log_likelihood);
  stream.list("log_delta", trace.log_delta);
  stream.list("xi", trace.xi);
  stream.list("noise_variance", trace.noise_variance);
  stream.each("feature_sets", trace.features,
              [](auto& s, auto& value) { s.list("features", value); });
  stream.each("basis_sets", trace.basis, [](auto& s, auto& value) { s.list("basis", value); });
  stream.field("feature_flips", trace.feature_flips);
  stream.field("basis_flips", trace.basis_flips);
  stream.field("delta_accepted", trace.delta_accepted);
  stream.each("draws", trace.draws, state);
  transfer_state(stream, trace.best);
  stream.field("best_log_joint", trace.best_log_joint);
}

}  // namespace ardent::doubly_sparse
