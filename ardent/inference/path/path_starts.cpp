#include "ardent/inference/path/path_starts.h"

#include <algorithm>

#include "ardent/inference/evidence/noise_prior.h"
#include "ardent/inference/path/l1_path.h"

namespace ardent {
namespace {

constexpr Index kStartSteps = 25;
constexpr double kStartRatio = 1e-2;
constexpr double kGrownBy = 1.5;
constexpr double kLargestStart = 1.0 / 3;  // of the rows

}  // namespace

std::vector<StandardStart> path_starts(const ActiveProblem& own, bool bias) {
  const L1Problem problem{*own.phi, own.likelihood, own.t, own.row_weights, bias};
  const L1Solution empty = empty_solution(problem);
  std::vector<StandardStart> starts;
  double last = 0;
  const auto visit = [&](const PathStop& stop) {
    const L1Solution& solution = stop.solution;
    const auto size = static_cast<double>(solution.active.size());
    if (stop.reweighting == 0) return size <= kLargestStart * own.row_count();
    if (size < 1 || size < kGrownBy * last) return true;
    last = size;
    StandardStart start{solution.active, solution.w.cwiseAbs2().cwiseInverse(), solution.w,
                        solution.bias, 1};
    if (own.likelihood == Likelihood::gaussian) {
      const Vector error = own.t - solution.point.f;
      start.noise_variance = best_noise_variance(error.cwiseProduct(own.row_weights).dot(error),
                                                 own.row_count() - size - 1);
    }
    starts.push_back(std::move(start));
    return true;
  };
  walk_path(problem, empty, lambda_grid(empty.lambda, kStartSteps, kStartRatio), 1, visit);
  return starts;
}

}  // namespace ardent
