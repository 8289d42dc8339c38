// Weighted two-hyperplane test (paper, algorithm 2): the dome cut once more, by the constraint that
// cuts its circumsphere deepest. That sphere has centre c − max(a, 0) n₁, a the depth of the first
// cut:
//   t = ρᶜ − max(a, 0) Φᵀn₁,   j* = argmax (|t_i| − w_i)/d_i  over |φ_iᵀn₁| < (1 − 1e-9) d_i,
//   n₂ = sgn(t_j*) φ_j*/d_j*   (the paper's line 14 has the sign of ρ_j*),
//   ψ₂ = min(1, (n₂ᵀc − w_j*/d_j*)/R).
// No candidate, or ψ₂ ≤ −1: the dome test.
#pragma once

#include "ardent/published/screening/dome.h"

namespace ardent {

std::vector<Index> two_hyperplane_test(const LassoProblem& problem, const DualBall& ball,
                                       GramRows* rows);

}  // namespace ardent
