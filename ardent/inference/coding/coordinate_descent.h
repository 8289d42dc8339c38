// Plain cyclic coordinate descent for the weighted LASSO: the reference that the default solver is
// tested and timed against.
//
//   θ_i ← S(θ_i d_i² + φ_iᵀr, w_i)/d_i²,   r ← r − φ_i Δθ_i,   S the soft threshold
//
// for all atoms in turn; N·n operations a pass. The gap is computed every tenth pass.
#pragma once

#include "ardent/inference/coding/working_set_solver.h"

namespace ardent {

struct DescentOptions {
  double tolerance = 1e-6;   // > 0: converged when gap ≤ tolerance·P(θ)
  Index max_passes = 10000;  // >= 1
};

/// All weights of the problem are positive. report.rounds counts passes.
LassoResult coordinate_descent(const LassoProblem& problem, const DescentOptions& options = {},
                               const SparseCode& start = {});

}  // namespace ardent
