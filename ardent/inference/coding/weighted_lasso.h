// The weighted LASSO of one signal over a large dictionary, certified by a duality gap.
//
//   minimise  P(θ) = ½‖y − Φθ‖² + λ Σ_i u_i|θ_i|,   0 ≤ u_i ≤ ∞, optionally θ ≥ 0   (paper, eq. 20)
//
// Atoms with u_i = ∞ and atoms of length 0 are left out. Unpenalised ones (u_i = 0) are projected
// out of the signal and of all other atoms first, and get the least-squares coefficients of what
// the others leave.
#pragma once

#include "ardent/inference/coding/working_set_solver.h"

namespace ardent {

/// `penalties`: u, one per atom; `start`: any code near the solution, empty for none. InputError if
/// shapes differ, λ ≤ 0, a penalty is negative, or a number is not finite. Not having converged is
/// a status in the report.
LassoResult weighted_lasso(const Dictionary& dictionary, const Vector& signal,
                           const Vector& penalties, double lambda, const LassoOptions& options = {},
                           const SparseCode& start = {});

}  // namespace ardent
