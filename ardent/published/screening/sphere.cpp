#include "ardent/published/screening/sphere.h"

#include "ardent/inference/coding/rounding_margin.h"

namespace ardent {

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

}  // namespace ardent
