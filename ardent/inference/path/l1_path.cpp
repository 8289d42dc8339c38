#include "ardent/inference/path/l1_path.h"

#include <algorithm>
#include <cmath>

#include "ardent/base/elementary.h"

namespace ardent {
namespace {

constexpr double kSmallestPenalty = 1e-3;

}  // namespace

Vector lambda_grid(double largest, Index steps, double ratio) {
  Vector grid(steps);
  const double fall = elementary::log(ratio) / static_cast<double>(std::max<Index>(steps - 1, 1));
  for (Index i = 0; i < steps; ++i) {
    grid[i] = largest * elementary::exp(fall * static_cast<double>(i));
  }
  return grid;
}

Vector reweighted(const L1Problem& problem, const L1Solution& solution, const Vector& penalties) {
  Vector curvature;
  problem.phi.weighted_square_norms(solution.point.curvature, curvature);
  Vector result = Vector::Ones(penalties.size());
  for (std::size_t j = 0; j < solution.active.size(); ++j) {
    const Index k = solution.active[j];
    const double gamma =
        std::abs(solution.w[static_cast<Index>(j)]) / (solution.lambda * penalties[k]);
    result[k] = std::max(kSmallestPenalty, 1 / std::sqrt(1 + gamma * curvature[k]));
  }
  return result;
}

void walk_path(const L1Problem& problem, const L1Solution& before, const Vector& grid,
               Index reweightings, const std::function<bool(const PathStop&)>& visit,
               double tolerance, Index first, const StepDone& done) {
  const Vector ones = Vector::Ones(problem.phi.cols());
  L1Solution plain = before;
  for (Index step = first; step < grid.size(); ++step) {
    plain = solve_l1(problem, grid[step], ones, plain, tolerance);
    if (!visit({step, 0, plain, ones})) return;
    L1Solution solution = plain;
    Vector penalties = ones;
    for (Index j = 1; j <= reweightings; ++j) {
      penalties = reweighted(problem, solution, penalties);
      solution = solve_l1(problem, grid[step], penalties, solution, tolerance);
      if (!visit({step, j, solution, penalties})) return;
    }
    if (done) done(step, plain);
  }
}

}  // namespace ardent
