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
  // Passes over all coordinates, and between them passes over those that are not zero, which do
  // nearly all of the moving.
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

}  // namespace ardent
