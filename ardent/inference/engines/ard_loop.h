// The outer loop of the engines that never form a Hessian: diagonal, dqn and probes.
//
//   repeat  MAP-stage   w ← about arg min L(w) for these precisions
//           A-stage     alpha ← the engine's update from w and its estimate of diag Σ
//           prune alpha_k > alpha_max, and compact the design
//   until   max |Δ log alpha_k| < tolerance, or the stage limit; diagonal, where no tolerance is
//           given: until the evidence below has settled (diagonal.h)
//
// With a prior on the support (support_prior.h), from the third stage on, columns whose best gain
// is below their cost go as well, a fifth of all at most in a stage, the least valuable first: with
// q²/s = (w(S + alpha))²/S, S = H_kk − alpha. While more than half of the candidates are in, the
// cost is 0 and only columns go that the evidence alone has no use for.
//
// A Gaussian noise stays at the target's variance until at most half as many columns as rows are
// in: before that every column would look good beside a noise that the others have taken away.
//
// The stages' evidence takes log|H| ≤ Σ log H_kk (Hadamard): a lower bound of Laplace's. Where at
// most 2,000 weights are left the final posterior has the exact Laplace covariance and evidence at
// the engine's own weights; where more are left, variances are 1/H_kk.
// Memory: the design and about ten vectors of length M or N.
#pragma once

#include "ardent/inference/engines/ard_state.h"

namespace ardent {

Fit run_ard_loop(const Design& design, const Target& target, const EngineOptions& options,
                 ArdMethod& method, const ProgressCallback& progress);

}  // namespace ardent
