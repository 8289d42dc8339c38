#include "ardent/published/screening/static_tests.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ardent/inference/coding/gap_safe.h"
#include "ardent/published/screening/region.h"

namespace ardent {
namespace {

/// One halfspace nᵀη ≤ h made of a constraint.
struct Plane {
  Index atom = -1;   // −1: none
  double depth = 0;  // nᵀc − h
  Vector products;   // Φᵀn
};

/// ±φ_atom/d_atom as a plane.
Plane make_plane(const LassoProblem& problem, Index atom, double sign, double depth,
                 GramRows* rows) {
  Plane plane;
  plane.atom = atom;
  plane.depth = depth;
  const std::vector<Index> one{atom};
  if (rows) {
    plane.products = *rows->rows(one).front();
  } else {
    Matrix row(problem.dictionary.cols(), 1);
    problem.dictionary.gram_rows(one, row);
    plane.products = row.col(0);
  }
  plane.products *= sign / problem.dictionary.norms()[atom];
  return plane;
}

/// The constraint that cuts the ball deepest.
Plane deepest_plane(const LassoProblem& problem, const DualBall& ball, GramRows* rows) {
  const Vector& norms = problem.dictionary.norms();
  Index deepest = -1;
  double depth = -std::numeric_limits<double>::infinity();
  for (Index i = 0; i < norms.size(); ++i) {
    if (problem.weights[i] == kNeverUsed) continue;
    const double d =
        (outward(problem, ball.centre * problem.rho[i]) - problem.weights[i]) / norms[i];
    if (d > depth) {
      depth = d;
      deepest = i;
    }
  }
  if (deepest < 0 || depth <= -ball.radius) return {};
  const double sign = problem.rho[deepest] < 0 ? -1 : 1;
  return make_plane(problem, deepest, problem.nonnegative ? 1 : sign, depth, rows);
}

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

/// Atoms whose product with the region reaches w_i − ε_i, and the atoms of the planes themselves.
std::vector<Index> reached(const LassoProblem& problem, const DualBall& ball, const Region& region,
                           const Plane& first, const Plane& second) {
  const Vector& norms = problem.dictionary.norms();
  std::vector<Index> kept;
  for (Index i = 0; i < norms.size(); ++i) {
    const double w = problem.weights[i];
    if (w == kNeverUsed) continue;
    const double product = ball.centre * problem.rho[i];
    const double t1 = region.planes >= 1 ? first.products[i] : 0;
    const double t2 = region.planes >= 2 ? second.products[i] : 0;
    double reach = product + largest_product(region, t1, t2, norms[i]);
    if (!problem.nonnegative) {
      reach = std::max(reach, largest_product(region, -t1, -t2, norms[i]) - product);
    }
    const bool of_plane = i == first.atom || i == second.atom;
    if (of_plane || reach >= w - rounding_margin(product, norms[i], ball.signal_norm)) {
      kept.push_back(i);
    }
  }
  return kept;
}

}  // namespace

std::vector<Index> sphere_test(const LassoProblem& problem, const DualBall& ball) {
  const Vector& norms = problem.dictionary.norms();
  std::vector<Index> kept;
  for (Index i = 0; i < norms.size(); ++i) {
    if (problem.weights[i] == kNeverUsed) continue;
    const double product = ball.centre * problem.rho[i];
    const double margin = rounding_margin(product, norms[i], ball.signal_norm);
    const double reach = outward(problem, product) + ball.radius * norms[i];
    if (reach >= problem.weights[i] - margin) kept.push_back(i);
  }
  return kept;
}

std::vector<Index> dome_test(const LassoProblem& problem, const DualBall& ball, GramRows* rows) {
  const Plane plane = deepest_plane(problem, ball, rows);
  if (plane.atom < 0) return sphere_test(problem, ball);
  const Region region{
      .radius = ball.radius, .planes = 1, .psi1 = std::min(1.0, plane.depth / ball.radius)};
  return reached(problem, ball, region, plane, {});
}

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
