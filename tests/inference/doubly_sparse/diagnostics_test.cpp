#include "ardent/inference/doubly_sparse/diagnostics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/random.h"

namespace ardent::doubly_sparse {
namespace {

/// Chains of x_t = r x_{t−1} + √(1 − r²) noise, each around its own level.
Matrix autoregressive(Index draws, const std::vector<double>& levels, double r,
                      std::uint64_t seed) {
  Random random(seed);
  Matrix result(draws, std::ssize(levels));
  for (Index c = 0; c < result.cols(); ++c) {
    double x = random.normal();
    for (Index t = 0; t < draws; ++t) {
      x = r * x + std::sqrt(1 - r * r) * random.normal();
      result(t, c) = x + levels[c];
    }
  }
  return result;
}

TEST(Diagnostics, SplitRHatByHand) {
  Matrix draws(4, 2);
  draws << 1, 2,  //
      3, 4,       //
      2, 6,       //
      4, 4;
  // Halves (1,3) (2,4) (2,4) (6,4): means 2 3 3 5, variance 2 each; B/n = var(means) = 19/12.
  EXPECT_NEAR(split_r_hat(draws), std::sqrt((0.5 * 2 + 19.0 / 12) / 2), 1e-14);
}

TEST(Diagnostics, IndependentDrawsCountFully) {
  const Matrix draws = autoregressive(4000, {0, 0, 0}, 0, 1);
  EXPECT_NEAR(split_r_hat(draws), 1, 0.005);
  EXPECT_NEAR(effective_size(draws) / 12000, 1, 0.1);
}

TEST(Diagnostics, AutocorrelatedDrawsCountTheirKnownShare) {
  for (const double r : {0.5, 0.9, -0.4}) {
    const Matrix draws = autoregressive(20000, {0, 0, 0, 0}, r, 2);
    const double share = (1 - r) / (1 + r);
    EXPECT_NEAR(effective_size(draws) / 80000 / share, 1, 0.12) << "r = " << r;
  }
}

TEST(Diagnostics, ErrorIsThatOfTheMean) {
  // The means of many runs spread as the error says.
  double spread = 0, reported = 0;
  constexpr int kRuns = 200;
  for (int run = 0; run < kRuns; ++run) {
    const Estimate e = estimate(autoregressive(500, {0, 0}, 0.6, 100 + run));
    spread += e.mean * e.mean / kRuns;
    reported += e.error * e.error / kRuns;
  }
  EXPECT_NEAR(std::sqrt(spread / reported), 1, 0.15);
}

TEST(Diagnostics, ChainsAtDifferentLevelsAreFoundOut) {
  const Matrix draws = autoregressive(500, {0, 0, 2}, 0, 3);
  EXPECT_GT(split_r_hat(draws), 1.2);
  EXPECT_LT(effective_size(draws), 30);
}

TEST(Diagnostics, DriftWithinAChainIsFoundOut) {
  Matrix draws = autoregressive(500, {0, 0}, 0, 4);
  for (Index t = 0; t < 500; ++t) draws.row(t).array() += 0.006 * static_cast<double>(t);
  EXPECT_GT(split_r_hat(draws), 1.2);
}

TEST(Diagnostics, ConstantAndShortChainsHaveADefinedAnswer) {
  const Matrix same = Matrix::Constant(10, 3, 0.25);
  EXPECT_EQ(split_r_hat(same), 1);
  EXPECT_EQ(effective_size(same), 30);
  Matrix apart = Matrix::Zero(10, 3);
  apart.col(1).setOnes();
  EXPECT_TRUE(std::isinf(split_r_hat(apart)));
  EXPECT_EQ(effective_size(apart), 6);
  EXPECT_TRUE(std::isnan(split_r_hat(Matrix::Zero(3, 2))));
  EXPECT_TRUE(std::isnan(effective_size(Matrix::Zero(3, 2))));
}

TEST(Diagnostics, ABitThatNeverChangedKeepsAnError) {
  const Estimate always = estimate_probability(Matrix::Ones(300, 3));
  EXPECT_EQ(always.mean, 1);
  EXPECT_NEAR(always.error, std::sqrt(0.5 / 901 * (900.5 / 901) / 900), 1e-12);
  EXPECT_GT(always.error, 0);
}

}  // namespace
}  // namespace ardent::doubly_sparse
