// The probability that is averaged over a Gaussian f.
#include "ardent/model/block_prediction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace ardent {
namespace {

TEST(Moderated, AgreesWithTheIntegralOfTheSigmoidOverTheGaussian) {
  double largest = 0;
  for (const double f : {-4.0, -1.0, -0.2, 0.0, 0.5, 2.0, 6.0}) {
    for (const double v : {0.01, 0.3, 1.0, 4.0, 25.0}) {
      constexpr int kSteps = 4000;
      double sum = 0;
      for (int s = 0; s <= kSteps; ++s) {
        const double z = -10 + 20.0 * s / kSteps;
        sum += std::exp(-z * z / 2) / (1 + std::exp(-f - std::sqrt(v) * z));
      }
      const double integral = sum * (20.0 / kSteps) / std::sqrt(2 * std::numbers::pi);
      largest = std::max(largest, std::abs(moderated(f, v) - integral));
    }
  }
  EXPECT_LT(largest, 0.02);
  EXPECT_GT(largest, 1e-4);  // it is an approximation: otherwise this compares nothing
}

TEST(Moderated, WithoutVarianceItIsTheSigmoidAndWithoutEndOneHalf) {
  EXPECT_DOUBLE_EQ(moderated(1.5, 0), 1 / (1 + std::exp(-1.5)));
  EXPECT_EQ(moderated(3, std::numeric_limits<double>::infinity()), 0.5);
  EXPECT_NEAR(moderated(3, 1e12), 0.5, 1e-5);
  EXPECT_EQ(moderated(-1000, 0), 0);
  EXPECT_EQ(moderated(1000, 0), 1);
}

}  // namespace
}  // namespace ardent
