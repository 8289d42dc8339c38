// A chain of the collapsed sampler held against what enumeration says.
#pragma once

#include <gtest/gtest.h>

#include "ardent/inference/doubly_sparse/collapsed_sampler.h"
#include "enumerated_posterior.h"

namespace ardent::doubly_sparse {

/// Runs one chain and holds its inclusion probabilities against the exact ones.
inline void expect_inclusion(const KernelProblem& problem, const CollapsedOptions& options,
                             Index sweeps, const Vector& exact, const Vector& guess = {}) {
  CollapsedSampler sampler(problem, options);
  if (guess.size() > 0) sampler.set_inclusion(guess);
  Random random(1);
  KernelState state = sampler.start(2, random);
  double step = 1;
  for (int burn = 0; burn < 500; ++burn) sampler.sweep(state, step, true, random);
  Matrix draws(sweeps, exact.size());
  for (Index s = 0; s < sweeps; ++s) {
    sampler.sweep(state, step, false, random);
    brute_force::record(state, draws, s);
  }
  const auto chain = brute_force::batch_means(draws);
  for (Index e = 0; e < exact.size(); ++e) {
    EXPECT_NEAR(chain.mean[e], exact[e], 3 * chain.error[e]) << "element " << e;
    EXPECT_NEAR(chain.mean[e], exact[e], 0.01) << "element " << e;
  }
}

/// Gibbs toggles, ξ given the weights, nothing repeated.
inline CollapsedOptions as_in_version_0_1(CollapsedOptions options) {
  options.scale_moves = options.metropolis_flips = false;
  options.feature_swaps = 0;
  options.refreshes = 0;
  return options;
}

/// Row i of the problem as often as its weight says.
inline KernelProblem repeated(const KernelProblem& problem) {
  std::vector<Index> rows;
  for (Index i = 0; i < problem.size(); ++i) {
    for (Index c = 0; c < static_cast<Index>(problem.weights[i]); ++c) rows.push_back(i);
  }
  KernelProblem result = with_rows(problem, rows);
  result.weights = {};
  return result;
}

}  // namespace ardent::doubly_sparse
