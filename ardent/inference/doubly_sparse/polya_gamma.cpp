#include "ardent/inference/doubly_sparse/polya_gamma.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/inference/doubly_sparse/gamma_draw.h"

namespace ardent::doubly_sparse {
namespace {

// PG(1, c) is J*(1, z)/4 with z = |c|/2. The density of J* is an alternating series whose terms
// have one form left of kCut and another right of it; both forms decrease at the cut.
constexpr double kCut = 0.64;
constexpr double kPi = std::numbers::pi;
constexpr double kMostSummed = 16;
constexpr double kLargestTilt = 1e100;  // beyond, squares would overflow; PG(1, c) is 0 there

double exponential(Random& random) {
  return -elementary::log1p(-random.uniform());
}

double normal_cdf(double x) {
  return 0.5 * elementary::erfc(-x / std::numbers::sqrt2);
}

/// The n-th coefficient of the series at x.
double coefficient(int n, double x) {
  const double half = n + 0.5;
  if (x > kCut) return kPi * half * elementary::exp(-half * half * kPi * kPi * x / 2);
  const double root = 2 / (kPi * x);
  return root * std::sqrt(root) * kPi * half * elementary::exp(-2 * half * half / x);
}

/// Inverse Gaussian with mean 1/z and shape 1, restricted to (0, kCut).
double draw_left(double z, Random& random) {
  if (z * kCut < 1) {  // the mean lies right of the cut: tilt draws of 1/χ²₁
    while (true) {
      double first = 0, second = 0;
      do {
        first = exponential(random);
        second = exponential(random);
      } while (first * first > 2 * second / kCut);
      const double root = 1 + kCut * first;
      const double x = kCut / (root * root);
      if (random.uniform() <= elementary::exp(-z * z * x / 2)) return x;
    }
  }
  const double mean = 1 / z;
  while (true) {
    const double normal = random.normal();
    const double y = mean * normal * normal;
    double x = mean * (1 + 0.5 * y - 0.5 * std::sqrt(4 * y + y * y));
    if (random.uniform() > mean / (mean + x)) x = mean * mean / x;
    if (x < kCut) return x;
  }
}

/// Share of the proposal's mass right of the cut, both masses multiplied by exp(z) so that neither
/// vanishes for large z.
double right_share(double z, double rate) {
  const double root = std::sqrt(kCut);
  const double right = kPi / (2 * rate) * elementary::exp(z - rate * kCut);
  double left = normal_cdf((kCut * z - 1) / root);
  // Beyond, exp(2z) would overflow while the product is below 1e-100.
  if (z < 40) left += elementary::exp(2 * z) * normal_cdf(-(kCut * z + 1) / root);
  return right / (right + 2 * left);
}

/// Accepts x with probability (density of J*)/(first term): partial sums bracket the density from
/// both sides, so that the comparison ends after a few terms.
bool accept(double x, Random& random) {
  double sum = coefficient(0, x);
  const double level = random.uniform() * sum;
  for (int n = 1;; ++n) {
    if (n % 2 == 1) {
      sum -= coefficient(n, x);
      if (level <= sum) return true;
    } else {
      sum += coefficient(n, x);
      if (level > sum) return false;
    }
  }
}

// So many terms of the series are drawn, and two more for each unit of a: from about there on they
// fall like 1/k².
constexpr int kGammaTerms = 6, kMostGammaTerms = 200;

/// Σ over all k, and of its squares, of 1/((k − ½)² + a²).
struct SeriesSums {
  double first, second;
};

SeriesSums whole_series(double a) {
  if (a < 1e-3) {  // up to a⁴
    const double square = kPi * kPi;
    return {square / 2 - a * a * square * square / 6,
            square * square / 6 - a * a * 2 * square * square * square / 15};
  }
  // Σ 1/((k − ½)² + a²) = π tanh(πa)/(2a); its derivative in a² gives the squares.
  const double pa = kPi * a;
  const double tanh = 1 - 2 / (1 + elementary::exp(2 * std::min(pa, 300.0)));
  const double first = kPi * tanh / (2 * a);
  return {first, (first - 0.5 * kPi * kPi * (1 - tanh * tanh)) / (2 * a * a)};
}

double gamma_series(double b, double c, Random& random) {
  const double a = std::min(std::abs(c), kLargestTilt) / (2 * kPi);
  auto [first, second] = whole_series(a);
  double sum = 0;
  const int terms = kGammaTerms + static_cast<int>(std::min(2 * a, double{kMostGammaTerms}));
  for (int k = 0; k < terms; ++k) {
    const double rate = 1 / ((k + 0.5) * (k + 0.5) + a * a);
    sum += draw_gamma(b, 1, random) * rate;
    first -= rate;
    second -= rate * rate;
  }
  if (first > 0 && second > 0) {
    sum += draw_gamma(b * first * first / second, 1, random) * second / first;
  }
  return sum / (2 * kPi * kPi);
}

}  // namespace

double draw_polya_gamma(double b, double c, Random& random) {
  if (std::isnan(c)) throw Error("masks: a predictor is not a number");
  if (b > kMostSummed || b != std::floor(b)) return gamma_series(b, c, random);
  double sum = 0;
  for (int k = 0; k < static_cast<int>(b); ++k) sum += draw_polya_gamma(c, random);
  return sum;
}

double draw_polya_gamma(double c, Random& random) {
  if (std::isnan(c)) throw Error("masks: a predictor is not a number");
  const double z = std::min(std::abs(c) / 2, kLargestTilt);
  const double rate = kPi * kPi / 8 + z * z / 2;
  const double right = right_share(z, rate);
  while (true) {
    const double x =
        random.uniform() < right ? kCut + exponential(random) / rate : draw_left(z, random);
    if (accept(x, random)) return x / 4;
  }
}

}  // namespace ardent::doubly_sparse
