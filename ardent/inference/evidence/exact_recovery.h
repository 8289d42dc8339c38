// When growing and ℓ1 must find the same columns.
//
// Tropp's exact recovery condition (2004, "Greed is good", theorem 3.1): with A the columns that
// were found and every other column φ_k
//
//   max_k ‖Phi_A⁺ φ_k‖₁ < 1
//
// Then, of a target that A explains, growing adds columns of A alone, and ℓ1's solution is A, too
// (theorem 3.3): its path has no other place to begin at. Independent columns of many rows fulfil
// it; columns that share a factor do not, and it is there that growing is misled. The theorem knows
// no noise. Where rows are few, growing may end early, and what it has not found is hidden by
// chance correlations that a path sees through: so the cosines must be small, too.
#pragma once

#include "ardent/inference/evidence/evidence.h"

namespace ardent {

/// Of the columns that were found with every other column.
struct Recovery {
  double coefficient;  // the left side above; infinite where the found are not independent
  double cosine;       // the largest
};

/// `positions`: of the found, not none. With a bias columns are taken about their means. Infinite
/// where Phi has more than 2.5e8 entries. Cost: N M |A|.
Recovery recovery_of(const ActiveProblem& problem, std::span<const Index> positions, bool bias);

}  // namespace ardent
