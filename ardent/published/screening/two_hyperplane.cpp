#include "ardent/published/screening/two_hyperplane.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ardent/published/screening/sphere.h"

namespace ardent {
namespace {

Plane second_plane(const LassoProblem& problem, const DualBall& ball, const Plane& first,
                   GramRows* rows) {
  const Vector& norms = problem.dictionary.norms();
  const double shift = std::max(first.depth, 0.0);
  const auto moved = [&](Index i) {
    return ball.centre * problem.rho[i] - shift * first.products[i];
  };
  Index deepest = -1;
  double best = -std::numeric_limits<double>::infinity();
  for (Index i = 0; i < norms.size(); ++i) {
    if (problem.weights[i] == kNeverUsed) continue;
    if (std::abs(first.products[i]) >= (1 - 1e-9) * norms[i]) continue;  // parallel to the first
    const double d = (outward(problem, moved(i)) - problem.weights[i]) / norms[i];
    if (d > best) {
      best = d;
      deepest = i;
    }
  }
  if (deepest < 0) return {};
  const double sign = !problem.nonnegative && moved(deepest) < 0 ? -1 : 1;
  const double depth =
      (sign * ball.centre * problem.rho[deepest] - problem.weights[deepest]) / norms[deepest];
  if (depth <= -ball.radius) return {};
  return make_plane(problem, deepest, sign, depth, rows);
}

}  // namespace

std::vector<Index> two_hyperplane_test(const LassoProblem& problem, const DualBall& ball,
                                       GramRows* rows) {
  const Plane first = deepest_plane(problem, ball, rows);
  if (first.atom < 0) return sphere_test(problem, ball);
  Region region{
      .radius = ball.radius, .planes = 1, .psi1 = std::min(1.0, first.depth / ball.radius)};
  const Plane second = second_plane(problem, ball, first, rows);
  if (second.atom >= 0) {
    region.planes = 2;
    region.psi2 = std::min(1.0, second.depth / ball.radius);
    // n₁ᵀn₂, from n₁ᵀφ_j* with the sign that made φ_j* into n₂.
    const double norm = problem.dictionary.norms()[second.atom];
    const double sign = second.products[second.atom] < 0 ? -1 : 1;
    region.tau = sign * first.products[second.atom] / norm;
  }
  return reached(problem, ball, region, first, second);
}

}  // namespace ardent
