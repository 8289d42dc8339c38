#include "ardent/inference/path/quadratic_l1.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ardent {
namespace {

double shrunk(double x, double threshold) {
  if (x > threshold) return x - threshold;
  return x < -threshold ? x + threshold : 0;
}

/// Passes over all coordinates, and between them passes over those that are not zero, which do
/// nearly all of the moving. move(k): how far coordinate k has moved.
template <class Move>
Index passes_until_still(double tolerance, Index max_passes, const Vector& x, const Move& move) {
  std::vector<Index> moving;
  Index passes = 0;
  while (passes < max_passes) {
    double largest = 0;
    moving.clear();
    for (Index k = 0; k < x.size(); ++k) {
      largest = std::max(largest, move(k));
      if (x[k] != 0) moving.push_back(k);
    }
    ++passes;
    if (largest <= tolerance) break;
    while (passes < max_passes && largest > tolerance) {
      largest = 0;
      for (const Index k : moving) largest = std::max(largest, move(k));
      ++passes;
    }
  }
  return passes;
}

}  // namespace

Index minimise(const QuadraticL1& problem, double tolerance, Index max_passes, Vector& x) {
  Vector r = problem.ascent;
  const auto move = [&](Index k) {
    const double curvature = problem.hessian(k, k);
    const double next = shrunk(curvature * x[k] + r[k], problem.penalty[k]) / curvature;
    const double step = next - x[k];
    if (step == 0) return 0.0;
    x[k] = next;
    r -= step * problem.hessian.col(k);
    return std::abs(step) * std::sqrt(curvature);
  };
  return passes_until_still(tolerance, max_passes, x, move);
}

Index minimise(const SparseQuadraticL1& problem, double tolerance, Index max_passes, Vector& x) {
  const auto offsets = problem.columns.offsets.span();
  const auto rows = problem.columns.columns.span();
  const auto values = problem.columns.values.span();
  const Vector start = x;
  const double all = problem.beta.sum();
  Vector bent = Vector::Zero(problem.beta.size());  // B[Phi 1](x − x₀) without the bias
  double bent_sum = 0, bias_step = 0;
  const auto slope = [&](Index k) {
    if (k == problem.columns.rows) return problem.ascent[k] - bent_sum - all * bias_step;
    double sum = 0;
    for (auto e = offsets[static_cast<std::size_t>(k)];
         e < offsets[static_cast<std::size_t>(k) + 1]; ++e) {
      const auto i = static_cast<Index>(rows[e]);
      sum += static_cast<double>(values[e]) * (bent[i] + bias_step * problem.beta[i]);
    }
    return problem.ascent[k] - sum - problem.ridge * (x[k] - start[k]);
  };
  const auto move = [&](Index k) {
    const double curvature = problem.diagonal[k];
    const double next = shrunk(curvature * x[k] + slope(k), problem.penalty[k]) / curvature;
    const double step = next - x[k];
    if (step == 0) return 0.0;
    x[k] = next;
    if (k == problem.columns.rows) {
      bias_step += step;
      return std::abs(step) * std::sqrt(curvature);
    }
    for (auto e = offsets[static_cast<std::size_t>(k)];
         e < offsets[static_cast<std::size_t>(k) + 1]; ++e) {
      const auto i = static_cast<Index>(rows[e]);
      const double change = step * static_cast<double>(values[e]) * problem.beta[i];
      bent[i] += change;
      bent_sum += change;
    }
    return std::abs(step) * std::sqrt(curvature);
  };
  return passes_until_still(tolerance, max_passes, x, move);
}

}  // namespace ardent
