#include "ardent/inference/doubly_sparse/polya_gamma.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace ardent::doubly_sparse {
namespace {

double polya_gamma_mean(double c) {
  const double a = std::abs(c);
  if (a < 1e-4) return 0.25 - a * a / 48;
  return std::tanh(a / 2) / (2 * a);
}

double polya_gamma_variance(double c) {
  const double a = std::abs(c);
  if (a < 1e-2) return 1.0 / 24 - a * a / 120;
  const double tail = std::exp(-a);
  // (sinh a − a)/cosh²(a/2), numerator and denominator divided by exp(a).
  const double numerator = 0.5 * (1 - tail * tail) - a * tail;
  const double denominator = 0.25 * (1 + tail) * (1 + tail);
  return numerator / (4 * a * a * a * denominator);
}

constexpr double kTilts[] = {0, 1e-6, 0.3, 1, 2.5, 3.2, 6, 15, 60, 300, 2000};

std::vector<double> draws(double c, int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(draw_polya_gamma(c, random));
  return values;
}

/// Density of PG(1, c) from its series in inverse Gaussians (Polson, Scott and Windle, eq. 5),
/// which is exact everywhere; the sampler uses another series right of its cut.
double density(double x, double c) {
  double sum = 0;
  for (int n = 0; n < 200; ++n) {
    const double odd = 2 * n + 1;
    const double term = odd * std::exp(-odd * odd / (8 * x) - c * c * x / 2 + std::abs(c) / 2);
    sum += n % 2 == 0 ? term : -term;
  }
  const double cosh_scaled = 0.5 * (1 + std::exp(-std::abs(c)));  // cosh(c/2) exp(−|c|/2)
  return cosh_scaled * sum / std::sqrt(2 * std::numbers::pi * x * x * x);
}

/// max |empirical distribution − distribution| of sorted draws, the latter by Simpson's rule.
double kolmogorov_distance(const std::vector<double>& sorted, double c) {
  double distribution = 0, at = 0, largest = 0;
  const auto count = static_cast<double>(sorted.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double to = sorted[i];
    constexpr int kPieces = 4;
    const double step = (to - at) / kPieces;
    for (int p = 0; p < kPieces && step > 0; ++p) {
      const double left = at + p * step;
      const double low = left > 0 ? density(left, c) : 0;
      distribution += step / 6 * (low + 4 * density(left + step / 2, c) + density(left + step, c));
    }
    at = to;
    largest = std::max({largest, std::abs(distribution - static_cast<double>(i) / count),
                        std::abs(distribution - static_cast<double>(i + 1) / count)});
  }
  return largest;
}

std::vector<double> draws_of_shape(double b, double c, int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(draw_polya_gamma(b, c, random));
  return values;
}

// PG(b, c) has b times the mean and the variance, and the Laplace transform to the power b.
TEST(PolyaGamma, AnyShapeHasItsMomentsAndItsLaplaceTransform) {
  constexpr int kCount = 100000;
  for (const double b : {0.05, 0.4, 1.0, 1.5, 3.0, 7.25, 40.0}) {
    for (const double c : {0.0, 1e-4, 0.5, 3.0, 12.0, 80.0}) {
      double mean = 0, square = 0, transform = 0, transform_square = 0;
      const double t = 2 / (b * polya_gamma_mean(c));
      for (const double x : draws_of_shape(b, c, kCount, 5)) {
        const double value = std::exp(-t * x);
        mean += x / kCount;
        square += x * x / kCount;
        transform += value / kCount;
        transform_square += value * value / kCount;
      }
      const double exact_mean = b * polya_gamma_mean(c), exact = b * polya_gamma_variance(c);
      EXPECT_NEAR(mean, exact_mean, 5 * std::sqrt(exact / kCount)) << b << " " << c;
      // The excess kurtosis is at most that of the first term of the series, 6/b.
      EXPECT_NEAR((square - mean * mean) / exact, 1, 5 * std::sqrt((2 + 6 / b) / kCount))
          << b << " " << c;
      const auto log_cosh = [](double x) { return x + std::log1p(std::exp(-2 * x)); };
      const double expected =
          std::exp(b * (log_cosh(c / 2) - log_cosh(std::sqrt((c * c / 2 + t) / 2))));
      const double error = std::sqrt((transform_square - transform * transform) / kCount);
      EXPECT_NEAR(transform, expected, 5 * error) << b << " " << c;
    }
  }
}

// The series against sums of exact draws: a shape next to a whole number takes the series.
TEST(PolyaGamma, TheSeriesHasTheDistributionOfSumsOfDraws) {
  constexpr int kCount = 200000;
  for (const double c : {0.0, 2.0, 30.0}) {
    auto sums = draws_of_shape(3, c, kCount, 1), series = draws_of_shape(3 + 1e-9, c, kCount, 2);
    std::sort(sums.begin(), sums.end());
    std::sort(series.begin(), series.end());
    double largest = 0;
    for (std::size_t i = 0, j = 0; i < sums.size(); ++i) {
      while (j < series.size() && series[j] <= sums[i]) ++j;
      largest = std::max(largest, std::abs(static_cast<double>(i + 1) - static_cast<double>(j)));
    }
    EXPECT_LT(largest / kCount, 1.95 * std::sqrt(2.0 / kCount)) << c;  // level 0.001
  }
}

TEST(PolyaGamma, MomentsHaveTheirLimits) {
  EXPECT_DOUBLE_EQ(polya_gamma_mean(0), 0.25);
  EXPECT_DOUBLE_EQ(polya_gamma_variance(0), 1.0 / 24);
  for (const double c : {9e-5, 1.1e-4}) EXPECT_NEAR(polya_gamma_mean(c), 0.25 - c * c / 48, 1e-12);
  for (const double c : {0.0099, 0.0101}) {
    EXPECT_NEAR(polya_gamma_variance(c), 1.0 / 24 - c * c / 120, 1e-9);
  }
  const double c = 1.7;
  EXPECT_NEAR(polya_gamma_variance(c),
              (std::sinh(c) - c) / (4 * c * c * c * std::pow(std::cosh(c / 2), 2)), 1e-15);
  EXPECT_EQ(polya_gamma_mean(-2), polya_gamma_mean(2));
}

TEST(PolyaGamma, DrawsHaveTheKnownMeanAndVariance) {
  constexpr int kDraws = 40000;
  for (const double c : kTilts) {
    const auto values = draws(c, kDraws, 7);
    double mean = 0, square = 0, fourth = 0;
    for (const double x : values) mean += x / kDraws;
    for (const double x : values) {
      const double d = (x - mean) * (x - mean);
      square += d / kDraws;
      fourth += d * d / kDraws;
    }
    const double variance = polya_gamma_variance(c);
    EXPECT_NEAR(mean, polya_gamma_mean(c), 4 * std::sqrt(variance / kDraws)) << "c = " << c;
    EXPECT_NEAR(square, variance, 4 * std::sqrt((fourth - square * square) / kDraws))
        << "c = " << c;
  }
}

TEST(PolyaGamma, DrawsHaveTheKnownLaplaceTransform) {
  constexpr int kDraws = 40000;
  for (const double c : {0.0, 1.0, 4.0}) {
    for (const double s : {0.5, 3.0, 20.0}) {
      double mean = 0, square = 0;
      for (const double x : draws(c, kDraws, 11)) {
        const double e = std::exp(-s * x);
        mean += e / kDraws;
        square += e * e / kDraws;
      }
      const double exact = std::cosh(c / 2) / std::cosh(std::sqrt((c * c / 2 + s) / 2));
      EXPECT_NEAR(mean, exact, 4 * std::sqrt((square - mean * mean) / kDraws)) << c << ", " << s;
    }
  }
}

TEST(PolyaGamma, DrawsFollowTheDistribution) {
  constexpr int kDraws = 4000;
  for (const double c : {0.0, 1.0, 3.0, 3.3, 8.0}) {
    auto values = draws(c, kDraws, 5);
    std::sort(values.begin(), values.end());
    // Kolmogorov's distribution: exceeded with probability 1e-3.
    EXPECT_LT(kolmogorov_distance(values, c), 1.95 / std::sqrt(kDraws)) << "c = " << c;
  }
}

TEST(PolyaGamma, SignOfTheTiltDoesNotMatter) {
  EXPECT_EQ(draws(2.5, 50, 3), draws(-2.5, 50, 3));
}

TEST(PolyaGamma, HugeTiltsStayPositiveAndFinite) {
  for (const double c : {1e4, 1e8, 1e12}) {
    for (const double x : draws(c, 100, 1)) {
      EXPECT_GT(x, 0);
      EXPECT_LT(x, 1);
      EXPECT_NEAR(x * 2 * c, 1, 50 / std::sqrt(c));
    }
  }
}

}  // namespace
}  // namespace ardent::doubly_sparse
