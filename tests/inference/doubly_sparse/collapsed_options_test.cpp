#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/error.h"
#include "ardent/inference/doubly_sparse/collapsed_sampler.h"
#include "enumerated_posterior.h"

namespace ardent::doubly_sparse {
namespace {

TEST(CollapsedSampler, StartsAreSpreadOut) {
  const KernelProblem problem = brute_force::tiny_problem(12, 5, 12, Likelihood::bernoulli, 1);
  const CollapsedSampler sampler(problem, {});
  Random random(1);
  EXPECT_EQ(sampler.start(0, random).features_on(), 5);
  const KernelState first = sampler.start(1, random), second = sampler.start(1, random);
  EXPECT_NE(first.delta, second.delta);
  EXPECT_NE(first.basis, second.basis);
}

TEST(CollapsedSampler, WithoutFeatureSelectionAllFeaturesStay) {
  const KernelProblem problem = brute_force::tiny_problem(12, 4, 12, Likelihood::bernoulli, 1);
  CollapsedSampler sampler(problem, {.select_features = false});
  Random random(1);
  KernelState state = sampler.start(2, random);
  double step = 1;
  for (int s = 0; s < 20; ++s) {
    EXPECT_EQ(sampler.sweep(state, step, true, random).feature_flips, 0);
    EXPECT_EQ(state.features_on(), 4);
  }
}

TEST(CollapsedSampler, RefusesOptionsOutOfRange) {
  EXPECT_THROW(validate(CollapsedOptions{.basis_a = 0}), InputError);
  EXPECT_THROW(validate(CollapsedOptions{.feature_a = -1}), InputError);
  EXPECT_THROW(validate(CollapsedOptions{.delta = std::nan("")}), InputError);
  EXPECT_THROW(validate(CollapsedOptions{.delta_sd = 0}), InputError);
  EXPECT_THROW(validate(CollapsedOptions{.xi = 0}), InputError);
  EXPECT_THROW(validate(CollapsedOptions{.xi_sd = 0}), InputError);
  EXPECT_THROW(validate(CollapsedOptions{.refreshes = -1}), InputError);
  EXPECT_THROW(validate(CollapsedOptions{.basis_moves = -1}), InputError);
}

}  // namespace
}  // namespace ardent::doubly_sparse
