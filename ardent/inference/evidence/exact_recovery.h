// When growing and ℓ1 must find the same columns.
//
// Tropp's exact recovery condition (2004, "Greed is good", theorem 3.1): with A the columns that
// were found and every other column φ_k
//
//   max_k ‖Phi_A⁺ φ_k‖₁ < 1
//
// Then, of a target that A explains, growing adds columns of A alone, and ℓ1's solution is A, too
// (theorem 3.3): its path has no other place to begin at. Independent columns of many rows fulfil
// it; columns that share a factor do not, and it is there that growing is misled.
#pragma once

#include "ardent/inference/evidence/evidence.h"

namespace ardent {

/// The left side for the columns at these positions, not none; with a bias of columns about their
/// means. Infinite where they are not independent. Cost: N M |A|.
double recovery_coefficient(const ActiveProblem& problem, std::span<const Index> positions,
                            bool bias);

}  // namespace ardent
