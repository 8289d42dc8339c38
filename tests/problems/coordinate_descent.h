// Plain cyclic coordinate descent for the weighted LASSO: the reference that the default solver is
// tested and timed against.
//
//   θ_i ← S(θ_i d_i² + φ_iᵀr, w_i)/d_i²,   r ← r − φ_i Δθ_i,   S the soft threshold
//
// for all atoms in turn; N·n operations a pass. The gap is computed every tenth pass.
#pragma once

#include <algorithm>

#include "ardent/inference/coding/working_set_solver.h"

namespace ardent {

struct DescentOptions {
  double tolerance = 1e-6;   // > 0: converged when gap ≤ tolerance·P(θ)
  Index max_passes = 10000;  // >= 1
};

namespace descent {

inline constexpr Index kPassesPerGap = 10;

inline SparseCode nonzeros(const Vector& theta) {
  SparseCode code;
  for (Index i = 0; i < theta.size(); ++i) {
    if (theta[i] != 0) code.active.push_back(i);
  }
  code.theta = theta(code.active);
  return code;
}

inline void one_pass(const LassoProblem& problem, Vector& theta, Vector& residual) {
  for (Index i = 0; i < theta.size(); ++i) {
    const double w = problem.weights[i];
    if (w == kNeverUsed) continue;
    const double square = problem.dictionary.norms()[i] * problem.dictionary.norms()[i];
    const double pull = theta[i] * square + problem.dictionary.dot(i, residual);
    double moved = 0;
    if (pull > w) moved = (pull - w) / square;
    if (pull < -w && !problem.nonnegative) moved = (pull + w) / square;
    if (moved == theta[i]) continue;
    problem.dictionary.add_scaled(i, theta[i] - moved, residual);
    theta[i] = moved;
  }
}

}  // namespace descent

/// All weights of the problem are positive. report.rounds counts passes.
inline LassoResult coordinate_descent(const LassoProblem& problem,
                                      const DescentOptions& options = {},
                                      const SparseCode& start = {}) {
  Vector theta = Vector::Zero(problem.dictionary.cols());
  for (std::size_t k = 0; k < start.active.size(); ++k) {
    const double value = start.theta[k];
    const bool usable = problem.weights[start.active[k]] < kNeverUsed;
    if (usable) theta[start.active[k]] = problem.nonnegative ? std::max(0.0, value) : value;
  }
  LassoResult result;
  result.code = descent::nonzeros(theta);
  Vector residual =
      problem.signal - problem.dictionary.combine(result.code.active, result.code.theta);
  LassoReport& report = result.report;
  while (true) {
    const DualityGap gap = duality_gap(problem, result.code);
    report.objective = gap.primal;
    report.gap = gap.gap;
    report.relative_gap = gap.relative();
    if (gap.gap <= options.tolerance * gap.primal) {
      report.status = Status::converged;
      return result;
    }
    if (report.rounds >= options.max_passes) return result;
    for (Index pass = 0; pass < descent::kPassesPerGap && report.rounds < options.max_passes;
         ++pass) {
      descent::one_pass(problem, theta, residual);
      ++report.rounds;
    }
    result.code = descent::nonzeros(theta);
  }
}

}  // namespace ardent
