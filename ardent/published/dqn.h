// Engine "dqn": DQN-SBL as published (Luo, Vong, Wong and Du, "Sparse Bayesian Learning with
// Diagonal Quasi-Newton Method for Large Scale Classification", Algorithms 1 and 2).
//
// MAP-stage (Algorithm 1), from B = I at every stage:
//   while ‖∇L‖ > 0.1 and fewer than 100 steps
//     p = −B∇L;  s from a strong Wolfe line search;  δ = s p;  w ← w + δ;  g = ∇L(w) − ∇L(w − δ)
//     1/B ← 1/B + g²/(gᵀδ) − δ²/(B² δᵀB⁻¹δ)                                     equation (14)
// A-stage (Algorithm 2):
//   alpha_k ← (1 − alpha_k B_kk)/w_k² where that is positive, else 1e-4/w_k²     equation (15)
//
// Step 4 of Algorithm 1 divides p by its length; with a first trial step of that length, which is
// what the line search here begins with, the division has no effect. Step 9 computes B_{m+1} (the
// print says B_m). 1/B stays positive where gᵀδ > 0 (Cauchy–Schwarz); the update is skipped where
// gᵀδ ≤ 1e-12 ‖g‖‖δ‖, and 1/B is floored at 1e-12 against rounding. `warm_b` carries B from stage
// to stage.
//
// What it is: (14) is the diagonal of the BFGS update of a *diagonal* Hessian, not the diagonal of
// the inverse; B/Σ was measured at 1e-6 … 0.03, so 1 − alpha B ≈ 1 and the update is nearly
// 1/w_k². Wide kernels under-converge at the published settings and can lose every weight. It is
// the faithful baseline; `diagonal` and `exact` are the better engines.
#pragma once

#include "ardent/inference/engine.h"

namespace ardent {

Fit fit_dqn(const Design& design, const Target& target, const EngineOptions& options = {},
            const ProgressCallback& progress = {});

/// Equation (14), in place. False, and B as it was, where gᵀδ is too small to trust.
bool update_diagonal_inverse(const Vector& step, const Vector& gradient_change, Vector& b);

}  // namespace ardent
