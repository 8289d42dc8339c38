// The certificate of a weighted LASSO: how far a code can be from the optimum.
//
// Dual problem (paper, eq. 22): maximise ½‖y‖² − ½‖y − η‖² over |φ_iᵀη| ≤ w_i (θ ≥ 0: φ_iᵀη ≤ w_i).
// The residual r = y − Φθ scaled by s is feasible for every s up to min_i w_i/|c_i|, c = Φᵀr. Then
//
//   P(θ) − D(s r) = ½‖r‖²(1 − s)² + Σ_i (w_i|θ_i| − s θ_i c_i),
//
// a sum of terms that are never negative: no digits cancel, however small the gap. The best s is
// yᵀr/‖r‖² = 1 + Σθ_i c_i/‖r‖², where it is feasible.
#pragma once

#include <span>

#include "ardent/inference/coding/lasso_problem.h"

namespace ardent {

struct DualityGap {
  double primal = 0;           // P(θ)
  double gap = 0;              // P(θ) − D(s r) ≥ P(θ) − min P
  double scale = 1;            // s
  double residual_square = 0;  // ‖r‖²

  /// gap/P; 0 where both are 0.
  double relative() const { return primal > 0 ? gap / primal : 0; }
};

/// `correlations`: c = Φᵀr at least at the atoms `looked_at`, which are all that are not known to
/// be inactive in every solution.
DualityGap duality_gap(const LassoProblem& problem, const SparseCode& code, const Vector& residual,
                       const Vector& correlations, std::span<const Index> looked_at);

/// The same over all atoms, from nothing but the code: N·n operations.
DualityGap duality_gap(const LassoProblem& problem, const SparseCode& code);

}  // namespace ardent
