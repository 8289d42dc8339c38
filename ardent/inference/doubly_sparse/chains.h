// Several chains of the collapsed sampler, in parallel, from over-dispersed starts.
//
// Each sweep of each chain has a random stream of its own, (seed, chain, sweep), and begins by
// computing everything from the chain's state: the result depends neither on threads nor on where
// a run was interrupted.
//
// Run until they agree, chains are looked at after kFirstLook sweeps and each time that they are
// half as long again: what they do then depends on their draws alone (and on the clock only where
// there is a limit of time).
//
// Chains whose R̂ is above kTemperedRHat at the first look begin again from where they are, each
// with tempered companions (tempering.h) and with another burn-in. That costs two to three times as
// much a sweep, which only pays where features, or groups of them, are metastable.
//
// Many rows: most of the burn-in may run on a random subset of the rows. That is only a way to a
// good start; the last quarter of the burn-in and every kept sweep use all rows.
#pragma once

#include "ardent/base/progress.h"
#include "ardent/inference/doubly_sparse/agreement.h"
#include "ardent/inference/doubly_sparse/chain_options.h"
#include "ardent/inference/doubly_sparse/chain_trace.h"

namespace ardent::doubly_sparse {

/// Why chains ended: all the sweeps that were asked for, agreement, time, or progress.
enum class Ending { sweeps, agreement, time, stopped };
const char* ending_name(Ending ending);

struct ChainsResult {
  std::vector<ChainTrace> chains;
  CollapsedOptions options;  // with defaults filled in
  Likelihood likelihood = Likelihood::bernoulli;
  bool stopped = false;  // progress asked for it: chains may be short
  Ending ending = Ending::sweeps;
  Agreement agreement;  // at the last look; where they run until they agree
  Index resumed = 0;    // sweeps that came from the checkpoint
};

inline constexpr Index kFirstLook = 300;
inline constexpr double kTemperedRHat = 1.2;

/// Validates all, runs to the end, or on from the checkpoint where its file exists (a checkpoint of
/// another problem or of other options is an InputError).
ChainsResult run_chains(const KernelProblem& problem, const CollapsedOptions& sampler,
                        const ChainOptions& options, const ProgressCallback& progress = {});

}  // namespace ardent::doubly_sparse
