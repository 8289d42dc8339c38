#include "ardent/published/paper_sampler.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "inference/doubly_sparse/enumerated_posterior.h"

namespace ardent::doubly_sparse {
namespace {

KernelProblem all_candidates(Index rows, Index features, std::uint64_t seed) {
  return brute_force::tiny_problem(rows, features, rows, Likelihood::bernoulli, seed);
}

std::vector<std::uint8_t> basis_mask(const KernelState& state, Index size) {
  std::vector<std::uint8_t> mask(size, 0);
  for (const Index i : state.basis) mask[i] = 1;
  return mask;
}

/// log p(t | ζ, z, α) with the kernel built from scratch.
double direct_likelihood(const KernelProblem& problem, const std::vector<std::uint8_t>& zeta,
                         const std::vector<std::uint8_t>& z, const Vector& alpha, double delta) {
  const std::vector<std::uint8_t> all(problem.size(), 1);
  const Matrix k = brute_force::kernel_columns(problem, zeta, all, delta, false);
  Vector weights = alpha;
  for (Index i = 0; i < weights.size(); ++i) weights[i] *= z[i];
  return bernoulli::log_likelihood(problem.t, k * weights);
}

constexpr double kDelta = 0.4;

class SymmetricDistancesTest : public testing::TestWithParam<Precision> {
 protected:
  /// Of f relative to the sum of its terms' sizes.
  double tolerance() const { return GetParam() == Precision::double_precision ? 1e-13 : 1e-6; }
};

TEST_P(SymmetricDistancesTest, PassesAgreeWithTheKernelFromScratch) {
  const KernelProblem p = all_candidates(300, 4, 3);
  const std::vector<std::uint8_t> all(300, 1);
  SymmetricDistances distances(p.rows, {1, 0, 1, 1}, GetParam());
  const auto scratch = [&](const std::vector<std::uint8_t>& zeta) {
    return brute_force::kernel_columns(p, zeta, all, kDelta, false);
  };
  Random random(1);
  Vector alpha(300);
  for (double& a : alpha) a = random.normal();
  const auto expect_predictor = [&](Index k, const std::vector<std::uint8_t>& zeta) {
    const Matrix kernel = scratch(zeta);
    const Vector error = distances.toggled_predictor(k, kDelta, alpha) - kernel * alpha;
    const Vector size = kernel * alpha.cwiseAbs();
    EXPECT_LT(error.cwiseAbs().cwiseQuotient(size).maxCoeff(), tolerance());
  };
  EXPECT_LT((distances.kernel(kDelta) - scratch({1, 0, 1, 1})).cwiseAbs().maxCoeff(), 1e-14);
  expect_predictor(1, {1, 1, 1, 1});
  expect_predictor(2, {1, 0, 0, 1});
  distances.toggle(2);
  distances.toggle(1);
  EXPECT_LT((distances.kernel(kDelta) - scratch({1, 1, 0, 1})).cwiseAbs().maxCoeff(), 1e-14);
  expect_predictor(0, {0, 1, 0, 1});
  distances.rebuild({0, 0, 0, 1});
  expect_predictor(3, {0, 0, 0, 0});
}

TEST_P(SymmetricDistancesTest, SameBitsForAnyNumberOfThreads) {
  const KernelProblem p = all_candidates(300, 3, 5);
  const auto run = [&](int threads) {
    const ThreadScope scope(threads);
    const SymmetricDistances distances(p.rows, {1, 1, 0}, GetParam());
    return distances.toggled_predictor(2, kDelta, p.t);
  };
  EXPECT_EQ(run(1), run(8));
}

INSTANTIATE_TEST_SUITE_P(Precisions, SymmetricDistancesTest,
                         testing::Values(Precision::single_precision, Precision::double_precision));

TEST(PaperChain, ConditionalsAgreeWithTheLikelihoodFromScratch) {
  const KernelProblem p = all_candidates(12, 5, 7);
  const PaperOptions options{
      .prior = MaskPriorKind::shared, .feature_a = 1.3, .basis_a = 2, .delta = kDelta};
  const MaskPrior features{MaskPriorKind::shared, 1.3, 5}, basis{MaskPriorKind::shared, 2, 12};
  Random random(2);
  PaperChain chain(p, options, random);
  for (int sweep = 0; sweep < 5; ++sweep) {
    chain.sweep_features(random);
    chain.sweep_basis(random);
    const KernelState state = chain.state();
    const auto z = basis_mask(state, 12);
    const auto likelihood = [&](const auto& zeta, const auto& mask) {
      return direct_likelihood(p, zeta, mask, chain.alpha(), kDelta);
    };
    EXPECT_NEAR(chain.log_likelihood(), likelihood(state.features, z), 1e-10);
    for (Index k = 0; k < 5; ++k) {
      auto on = state.features, off = state.features;
      on[k] = 1;
      off[k] = 0;
      const double exact =
          likelihood(on, z) - likelihood(off, z) + features.log_odds(brute_force::count_on(off));
      EXPECT_NEAR(chain.feature_log_odds(k), exact, 1e-10) << "feature " << k;
    }
    for (Index i = 0; i < 12; ++i) {
      auto on = z, off = z;
      on[i] = 1;
      off[i] = 0;
      const double exact = likelihood(state.features, on) - likelihood(state.features, off) +
                           basis.log_odds(brute_force::count_on(off));
      EXPECT_NEAR(chain.basis_log_odds(i), exact, 1e-10) << "basis point " << i;
    }
    chain.draw_alpha(random);
  }
}

// Given α, the scans are exact Gibbs samplers of the masks: both against every mask enumerated.
TEST(PaperChain, LongScansAgreeWithEnumerationGivenTheWeights) {
  const KernelProblem p = all_candidates(6, 3, 4);
  Random random(3);
  PaperChain chain(p, {.feature_a = 1, .basis_a = 3, .delta = kDelta}, random);
  const MaskPrior features{MaskPriorKind::independent, 1, 3},
      basis{MaskPriorKind::independent, 3, 6};
  const Vector exact = brute_force::enumerate_inclusion(3, 6, [&](const auto& zeta, const auto& z) {
    return direct_likelihood(p, zeta, z, chain.alpha(), kDelta) +
           features.log_probability(brute_force::count_on(zeta)) +
           basis.log_probability(brute_force::count_on(z));
  });
  constexpr Index kSweeps = 30000;
  Matrix draws(kSweeps, 9);
  for (Index s = 0; s < kSweeps; ++s) {
    chain.sweep_features(random);
    chain.sweep_basis(random);
    brute_force::record(chain.state(), draws, s);
  }
  const auto means = brute_force::batch_means(draws);
  for (Index e = 0; e < 9; ++e) {
    EXPECT_NEAR(means.mean[e], exact[e], 3 * means.error[e]) << "element " << e;
    EXPECT_NEAR(means.mean[e], exact[e], 0.01) << "element " << e;
  }
}

TEST(PaperSampler, BestStateHasTheLargestPosteriorOfItsStage) {
  const KernelProblem p = all_candidates(12, 3, 9);
  Random random(5);
  const PaperOptions options{.delta = kDelta, .feature_sweeps = 8, .basis_sweeps = 10};
  const PaperResult result = paper_sample(p, options, random);
  EXPECT_EQ(result.feature_trace.size(), 8u);
  EXPECT_EQ(result.basis_trace.size(), 10u);
  for (const double value : result.basis_trace) EXPECT_GE(result.best_log_posterior, value);
  const MaskPrior basis{MaskPriorKind::independent, 20, 12};
  const Vector f = predictor(p.rows, p.rows, result.best);
  EXPECT_NEAR(result.best_log_posterior,
              bernoulli::log_likelihood(p.t, f) + basis.log_probability(result.best.basis_on()),
              1e-10);
}

TEST(PaperSampler, BasisPointsOnlyKeepsEveryFeature) {
  const KernelProblem p = all_candidates(10, 3, 9);
  Random random(5);
  const PaperResult result =
      paper_sample(p, {.select_features = false, .delta = kDelta, .basis_sweeps = 6}, random);
  EXPECT_EQ(result.best.features_on(), 3);
  EXPECT_TRUE(result.feature_trace.empty());
  EXPECT_EQ(result.feature_inclusion, Vector::Ones(3));
}

TEST(PaperSampler, StopsWhenProgressSaysSo) {
  const KernelProblem p = all_candidates(10, 3, 9);
  Random random(5);
  const PaperResult result =
      paper_sample(p, {.delta = kDelta}, random, [](const ProgressEvent& e) { return e.done < 3; });
  EXPECT_EQ(result.feature_trace.size(), 3u);
  EXPECT_TRUE(result.basis_trace.empty());
  EXPECT_EQ(result.best.basis_on(), 10);
}

TEST(PaperSampler, RegressionAndOptionsOutOfRangeAreRefused) {
  const KernelProblem p = brute_force::tiny_problem(6, 2, 6, Likelihood::gaussian, 1);
  Random random(1);
  EXPECT_THROW(paper_sample(p, {}, random), InputError);
  EXPECT_THROW(validate(PaperOptions{.xi = -1}), InputError);
  EXPECT_THROW(validate(PaperOptions{.vb_steps = 0}), InputError);
  EXPECT_THROW(validate(PaperOptions{.basis_sweeps = -1}), InputError);
}

}  // namespace
}  // namespace ardent::doubly_sparse
