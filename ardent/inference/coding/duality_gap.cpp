#include "ardent/inference/coding/duality_gap.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ardent {
namespace {

/// The largest s for which s·r is feasible; ∞ where no atom limits it.
double feasible_scale(const LassoProblem& problem, const Vector& correlations,
                      std::span<const Index> looked_at) {
  double largest_ratio = 0;  // of |c_i|/w_i: a quotient that is never 0/0
  for (const Index i : looked_at) {
    const double c = problem.nonnegative ? correlations[i] : std::abs(correlations[i]);
    largest_ratio = std::max(largest_ratio, c / problem.weights[i]);
  }
  return 1 / largest_ratio;
}

}  // namespace

DualityGap duality_gap(const LassoProblem& problem, const SparseCode& code, const Vector& residual,
                       const Vector& correlations, std::span<const Index> looked_at) {
  DualityGap result;
  result.residual_square = residual.squaredNorm();
  const Vector c = correlations(code.active);
  const Vector w = problem.weights(code.active);
  const double explained = code.theta.dot(c);
  const double best = result.residual_square > 0 ? 1 + explained / result.residual_square : 1;
  const double s =
      std::clamp(best, 0.0, std::max(0.0, feasible_scale(problem, correlations, looked_at)));
  result.scale = s;
  double penalty = 0;
  double slack = 0;
  for (Index k = 0; k < code.theta.size(); ++k) {
    const double penalised = w[k] * std::abs(code.theta[k]);
    penalty += penalised;
    slack += std::max(0.0, penalised - s * code.theta[k] * c[k]);
  }
  result.primal = 0.5 * result.residual_square + penalty;
  result.gap = 0.5 * result.residual_square * (1 - s) * (1 - s) + slack;
  if (!std::isfinite(result.gap)) {  // a residual of rounding alone: η = 0 is feasible, too
    result.scale = 0;
    result.gap = result.primal;
  }
  return result;
}

DualityGap duality_gap(const LassoProblem& problem, const SparseCode& code) {
  const Vector residual = problem.signal - problem.dictionary.combine(code.active, code.theta);
  Matrix correlations;
  problem.dictionary.correlate(residual, correlations);
  std::vector<Index> all(problem.dictionary.cols());
  std::iota(all.begin(), all.end(), Index{0});
  return duality_gap(problem, code, residual, correlations.col(0), all);
}

}  // namespace ardent
