#include "ardent/inference/doubly_sparse/rank_diagnostics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/random.h"
#include "ardent/inference/doubly_sparse/agreement.h"
#include "ardent/inference/doubly_sparse/diagnostics.h"

namespace ardent::doubly_sparse {
namespace {

Matrix normal_draws(Index draws, Index chains, std::uint64_t seed) {
  Random random(seed);
  Matrix result(draws, chains);
  for (double& x : result.reshaped()) x = random.normal();
  return result;
}

TEST(RankDiagnostics, QuantileInvertsTheDistribution) {
  for (const double x : {-6.0, -3.1, -2.0, -0.4, 0.0, 0.7, 1.9, 2.5, 5.0}) {
    const double p = 0.5 * std::erfc(-x / std::sqrt(2.0));
    EXPECT_NEAR(normal_quantile(p), x, 1e-9);
  }
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-13);
}

TEST(RankDiagnostics, RanksByHand) {
  Matrix draws(2, 2);
  draws << 5, 1,  //
      1, 9;
  const Matrix z = rank_normalised(draws);  // ranks 3, 1.5; 1.5, 4 of 4
  EXPECT_NEAR(z(0, 0), normal_quantile(2.625 / 4.25), 1e-15);
  EXPECT_NEAR(z(0, 1), normal_quantile(1.125 / 4.25), 1e-15);
  EXPECT_EQ(z(0, 1), z(1, 0));
  EXPECT_NEAR(z(1, 1), normal_quantile(3.625 / 4.25), 1e-15);
}

TEST(RankDiagnostics, DoNotChangeUnderIncreasingTransformations) {
  const Matrix draws = normal_draws(300, 3, 1), grown = draws.array().exp();
  EXPECT_EQ(bulk_effective(draws), bulk_effective(grown));
  EXPECT_EQ(tail_effective(draws), tail_effective(grown));
  EXPECT_NEAR(bulk_effective(draws) / effective_size(draws), 1, 0.02);
}

TEST(RankDiagnostics, FindChainsOfAnotherSpreadAndHeavyTails) {
  Matrix draws = normal_draws(500, 4, 2);
  EXPECT_LT(rank_r_hat(draws), 1.01);
  EXPECT_GT(bulk_effective(draws), 1500);
  EXPECT_GT(tail_effective(draws), 1200);
  draws.col(3) *= 4;
  EXPECT_LT(split_r_hat(draws), 1.02);
  EXPECT_GT(rank_r_hat(draws), 1.05);
  EXPECT_LT(tail_effective(draws), 400);
  // One chain elsewhere, hidden from plain R̂ by draws without a variance (Cauchy).
  Matrix heavy = (normal_draws(500, 4, 3).array() / normal_draws(500, 4, 4).array());
  heavy.col(0).array() += 3;
  EXPECT_LT(split_r_hat(heavy), 1.01);
  EXPECT_GT(rank_r_hat(heavy), 1.1);
}

std::vector<ChainTrace> two_chains(Index sweeps, double share_of_second) {
  Random random(5);
  std::vector<ChainTrace> chains(2);
  for (int c = 0; c < 2; ++c) {
    for (Index s = 0; s < sweeps; ++s) {
      chains[c].log_likelihood.push_back(random.normal());
      chains[c].log_delta.push_back(random.normal());
      std::vector<std::uint32_t> on{0};  // always; feature 1 in doubt; 2 hardly ever
      if (random.uniform() < (c == 0 ? 0.5 : share_of_second)) on.push_back(1);
      if (s == 7 && c == 1) on.push_back(2);
      chains[c].features.push_back(on);
    }
  }
  return chains;
}

TEST(Agreement, IsReachedByEnoughIndependentDrawsOnly) {
  const auto chains = two_chains(600, 0.5);
  EXPECT_TRUE(agreement(chains, 600, 3).reached());
  EXPECT_FALSE(agreement(chains, 150, 3).reached());  // too few
  EXPECT_LE(agreement(chains, 150, 3).effective, 400);
}

TEST(Agreement, FailsWhereChainsDifferOnAFeatureInDoubt) {
  const Agreement found = agreement(two_chains(600, 0.8), 600, 3);
  EXPECT_FALSE(found.reached());
  EXPECT_GT(found.r_hat, 1.03);
}

}  // namespace
}  // namespace ardent::doubly_sparse
