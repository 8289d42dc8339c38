#include "ardent/inference/doubly_sparse/rank_diagnostics.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "ardent/base/elementary.h"
#include "ardent/inference/doubly_sparse/diagnostics.h"

namespace ardent::doubly_sparse {
namespace {

/// a_0 x^n + a_1 x^(n−1) + … + a_n
template <std::size_t size>
double polynomial(const double (&a)[size], double x) {
  double sum = 0;
  for (const double coefficient : a) sum = sum * x + coefficient;
  return sum;
}

double rough_quantile(double p) {
  constexpr double kA[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                           1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
  constexpr double kB[] = {-5.447609879822406e+01, 1.615858368580409e+02,  -1.556989798598866e+02,
                           6.680131188771972e+01,  -1.328068155288572e+01, 1};
  constexpr double kC[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                           -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
  constexpr double kD[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                           3.754408661907416e+00, 1};
  constexpr double kTail = 0.02425;
  if (p > 1 - kTail) return -rough_quantile(1 - p);
  if (p < kTail) {
    const double q = std::sqrt(-2 * elementary::log(p));
    return polynomial(kC, q) / polynomial(kD, q);
  }
  const double q = p - 0.5, r = q * q;
  return polynomial(kA, r) * q / polynomial(kB, r);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

/// The smallest draw that at least a share p of all draws do not exceed.
double quantile(std::vector<double> values, double p) {
  const auto count = static_cast<double>(values.size());
  const auto place =
      std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(std::ceil(p * count)) - 1);
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[place];
}

std::vector<double> all_of(const Matrix& draws) {
  return {draws.data(), draws.data() + draws.size()};
}

}  // namespace

double normal_quantile(double p) {
  const double x = rough_quantile(p);
  const double error = 0.5 * elementary::erfc(-x / std::numbers::sqrt2) - p;
  const double step = error * std::sqrt(2 * std::numbers::pi) * elementary::exp(0.5 * x * x);
  return x - step / (1 + 0.5 * x * step);
}

Matrix rank_normalised(const Matrix& draws) {
  const auto count = static_cast<double>(draws.size());
  std::vector<Index> order(draws.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return draws.data()[a] < draws.data()[b]; });
  Matrix z(draws.rows(), draws.cols());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    const double value = draws.data()[order[begin]];
    while (end < order.size() && draws.data()[order[end]] == value) ++end;
    const double rank = 0.5 * static_cast<double>(begin + 1 + end);
    const double normal = normal_quantile((rank - 0.375) / (count + 0.25));
    for (std::size_t i = begin; i < end; ++i) z.data()[order[i]] = normal;
    begin = end;
  }
  return z;
}

double rank_r_hat(const Matrix& draws) {
  if (draws.rows() < 4 || draws.cols() < 1) return split_r_hat(draws);
  const Matrix folded = (draws.array() - median(all_of(draws))).abs();
  return std::max(split_r_hat(rank_normalised(draws)), split_r_hat(rank_normalised(folded)));
}

double bulk_effective(const Matrix& draws) {
  if (draws.rows() < 4 || draws.cols() < 1) return effective_size(draws);
  return effective_size(rank_normalised(draws));
}

double tail_effective(const Matrix& draws) {
  if (draws.rows() < 4 || draws.cols() < 1) return effective_size(draws);
  const std::vector<double> all = all_of(draws);
  const auto below = [&](double p) {
    return effective_size((draws.array() <= quantile(all, p)).cast<double>());
  };
  return std::min(below(0.05), below(0.95));
}

}  // namespace ardent::doubly_sparse
