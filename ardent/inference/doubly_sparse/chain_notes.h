// What is written down of a sweep after burn-in.
#pragma once

#include "ardent/inference/doubly_sparse/chain_options.h"
#include "ardent/inference/doubly_sparse/chain_trace.h"

namespace ardent::doubly_sparse {

/// Notes the sweep that left the trace's state.
void note(ChainTrace& trace, const SweepCounts& counts, double log_likelihood, double log_joint,
          const ChainOptions& options);

/// Leaves as many draws as were asked for, spread evenly.
void thin_draws(ChainTrace& trace, const ChainOptions& options);

}  // namespace ardent::doubly_sparse
