#include "ardent/published/screening/dome.h"

#include <algorithm>
#include <limits>

#include "ardent/inference/coding/rounding_margin.h"
#include "ardent/published/screening/sphere.h"

namespace ardent {

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

std::vector<Index> dome_test(const LassoProblem& problem, const DualBall& ball, GramRows* rows) {
  const Plane plane = deepest_plane(problem, ball, rows);
  if (plane.atom < 0) return sphere_test(problem, ball);
  const Region region{
      .radius = ball.radius, .planes = 1, .psi1 = std::min(1.0, plane.depth / ball.radius)};
  return reached(problem, ball, region, plane, {});
}

}  // namespace ardent
