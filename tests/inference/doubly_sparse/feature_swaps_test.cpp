#include "ardent/inference/doubly_sparse/feature_swaps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <utility>

namespace ardent::doubly_sparse {
namespace {

Matrix correlated_rows(Index rows) {
  Random random(1);
  Matrix x(rows, 4);
  for (Index i = 0; i < rows; ++i) {
    const double common = random.normal();
    x(i, 0) = 5 + common;
    x(i, 1) = -2 * common + random.normal();
    x(i, 2) = random.normal();
    x(i, 3) = 7;
  }
  return x;
}

TEST(FeatureSwaps, SimilarityIsTheSquareOfTheCorrelation) {
  const Matrix x = correlated_rows(400), s = feature_similarity(x);
  const Vector a = x.col(0).array() - x.col(0).mean(), b = x.col(1).array() - x.col(1).mean();
  const double r = a.dot(b) / std::sqrt(a.squaredNorm() * b.squaredNorm());
  EXPECT_NEAR(s(0, 1), r * r + 0.02, 1e-12);
  EXPECT_EQ(s(0, 1), s(1, 0));
  EXPECT_NEAR(s(0, 3), 0.02, 1e-12);  // constant
  EXPECT_LT(s(0, 2), 0.05);
  EXPECT_EQ(feature_similarity(Matrix::Zero(3, 1001)).size(), 0);
}

TEST(FeatureSwaps, ProposalsHaveTheProbabilitiesThatTheRatioCorrects) {
  const Matrix s = feature_similarity(correlated_rows(100));
  Random random(2);
  for (const std::vector<std::uint8_t>& mask :
       {std::vector<std::uint8_t>{1, 0, 1, 0}, std::vector<std::uint8_t>{0, 1, 0, 0}}) {
    constexpr int kCount = 100000;
    std::map<std::pair<Index, Index>, int> seen;
    double on = 0;
    for (const auto bit : mask) on += bit;
    const auto chance = [&](const std::vector<std::uint8_t>& from, Index in, Index out) {
      double total = 0;
      for (Index k = 0; k < 4; ++k) total += from[k] ? 0 : s(out, k);
      return s(out, in) / total / on;
    };
    for (int n = 0; n < kCount; ++n) {
      const FeatureSwap swap = *propose_swap(s, mask, random);
      ++seen[{swap.in, swap.out}];
      std::vector<std::uint8_t> other = mask;
      std::swap(other[swap.in], other[swap.out]);
      const double back = chance(other, swap.out, swap.in), there = chance(mask, swap.in, swap.out);
      ASSERT_NEAR(swap.log_hastings, std::log(back / there), 1e-12);
    }
    for (const auto& [pair, count] : seen) {
      const double p = chance(mask, pair.first, pair.second);
      EXPECT_NEAR(static_cast<double>(count) / kCount, p, 4 * std::sqrt(p * (1 - p) / kCount));
    }
  }
}

TEST(FeatureSwaps, NothingToSwapIsNoProposal) {
  Random random(1);
  EXPECT_FALSE(propose_swap({}, {1, 1}, random));
  EXPECT_FALSE(propose_swap({}, {0, 0}, random));
  EXPECT_TRUE(propose_swap({}, {0, 1}, random));
}

}  // namespace
}  // namespace ardent::doubly_sparse
