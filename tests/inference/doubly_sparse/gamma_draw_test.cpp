#include "ardent/inference/doubly_sparse/gamma_draw.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ardent::doubly_sparse {
namespace {

TEST(GammaDraw, HasTheKnownMoments) {
  constexpr int kDraws = 40000;
  for (const double shape : {0.3, 1.0, 1.5, 7.0, 500.0}) {
    for (const double rate : {0.1, 4.0}) {
      Random random(3);
      double mean = 0, log_mean = 0;
      for (int i = 0; i < kDraws; ++i) {
        const double x = draw_gamma(shape, rate, random);
        mean += x / kDraws;
        log_mean += std::log(x * rate) / kDraws;
      }
      EXPECT_NEAR(mean, shape / rate, 4 * std::sqrt(shape / kDraws) / rate);
      // E log x = digamma(shape), here by a central difference of log Γ.
      const double h = 1e-4 * shape;
      const double digamma = (std::lgamma(shape + h) - std::lgamma(shape - h)) / (2 * h);
      const double trigamma =
          (std::lgamma(shape + h) - 2 * std::lgamma(shape) + std::lgamma(shape - h)) / (h * h);
      EXPECT_NEAR(log_mean, digamma, 4 * std::sqrt(trigamma / kDraws) + 1e-5);
    }
  }
}

TEST(GammaDraw, ShapeOneIsExponential) {
  constexpr int kDraws = 20000;
  Random random(9);
  std::vector<double> values;
  for (int i = 0; i < kDraws; ++i) values.push_back(draw_gamma(1, 2, random));
  std::sort(values.begin(), values.end());
  double largest = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double exact = -std::expm1(-2 * values[i]);
    largest = std::max(largest, std::abs(exact - (i + 0.5) / kDraws));
  }
  EXPECT_LT(largest, 1.95 / std::sqrt(kDraws));
}

}  // namespace
}  // namespace ardent::doubly_sparse
