// Several chains of the collapsed sampler, in parallel, from over-dispersed starts.
//
// Each sweep of each chain has a random stream of its own, (seed, chain, sweep), and begins by
// computing everything from the chain's state: the result depends neither on threads nor on where
// a run was interrupted.
//
// Many rows: most of the burn-in may run on a random subset of the rows. That is only a way to a
// good start; the last quarter of the burn-in and every kept sweep use all rows.
#pragma once

#include <cstdint>
#include <string>

#include "ardent/base/progress.h"
#include "ardent/inference/masks/chain_trace.h"

namespace ardent::masks {

struct ChainOptions {
  Index chains = 3;        // >= 1
  Index burn_in = 200;     // >= 0: sweeps thrown away
  Index sweeps = 300;      // >= 1: sweeps kept
  Index draws = 100;       // >= 1: states kept for prediction, in all chains together at most
  Index burn_in_rows = 0;  // >= 0: rows used in three quarters of the burn-in; 0: all rows up to
                           // 4,000, beyond that max(2,000, N/10)
  std::uint64_t seed = 1;
  std::string checkpoint = "";     // file to go on from and to write; empty: none
  double checkpoint_seconds = 10;  // >= 0: time between writes at least; 0: after every sweep
};

/// Throws InputError naming field, rule and value.
void validate(const ChainOptions& options);

struct ChainsResult {
  std::vector<ChainTrace> chains;
  CollapsedOptions options;  // with defaults filled in
  bool stopped = false;      // progress asked for it: chains may be short
  Index resumed = 0;         // sweeps that came from the checkpoint
};

/// Validates all, runs to the end, or on from the checkpoint where its file exists (a checkpoint of
/// another problem or of other options is an InputError).
ChainsResult run_chains(const MaskProblem& problem, const CollapsedOptions& sampler,
                        const ChainOptions& options, const ProgressCallback& progress = {});

}  // namespace ardent::masks
