// The static tests: each bounds the dual optimum by a region and keeps the atoms that reach it.
//
// Sphere (paper, eq. 40): reject i iff |φ_iᵀc| + R d_i < w_i − ε_i.
//
// Dome (theorem 3.3): the ball cut by the constraint that cuts deepest,
//   i* = argmax (|φ_iᵀc| − w_i)/d_i,   n₁ = sgn(φ_i*ᵀc) φ_i*/d_i*,   ψ₁ = min(1, that maximum/R).
// Where no constraint reaches into the ball (ψ₁ ≤ −1) it is the sphere test.
//
// Weighted two-hyperplane test (algorithm 2): the dome cut once more, by the constraint that
// cuts its circumsphere deepest. That sphere has centre c − max(a, 0) n₁, a the depth of the first
// cut:
//   t = ρᶜ − max(a, 0) Φᵀn₁,   j* = argmax (|t_i| − w_i)/d_i  over |φ_iᵀn₁| < (1 − 1e-9) d_i,
//   n₂ = sgn(t_j*) φ_j*/d_j*   (the paper's line 14 has the sign of ρ_j*),
//   ψ₂ = min(1, (n₂ᵀc − w_j*/d_j*)/R).
// No candidate, or ψ₂ ≤ −1: the dome test.
#pragma once

#include "ardent/published/screening/ball.h"

namespace ardent {

/// `rows` (may be null) provides Gram rows that others share.
std::vector<Index> sphere_test(const LassoProblem& problem, const DualBall& ball);
std::vector<Index> dome_test(const LassoProblem& problem, const DualBall& ball, GramRows* rows);
std::vector<Index> two_hyperplane_test(const LassoProblem& problem, const DualBall& ball,
                                       GramRows* rows);

}  // namespace ardent
