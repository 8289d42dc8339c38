// The region that bounds the dual optimum, and the largest inner product with it.
//
//   { η : ‖η − c‖ ≤ R,  n_kᵀη ≤ h_k }      a ball cut by up to two halfspaces, ‖n_k‖ = 1
//
// With ψ_k = (n_kᵀc − h_k)/R, the depth of the k-th cut in units of R (paper, eq. 41), and
// τ = n₁ᵀn₂. The paper's lemma 3.3 prints 1 − r² where 1 − τ² must stand: as printed, active atoms
// are rejected.
#pragma once

namespace ardent {

struct Region {
  double radius = 0;  // R
  int planes = 0;     // 0: ball; 1: dome; 2
  double psi1 = 0;    // in (−1, 1]
  double psi2 = 0;    // in (−1, 1]
  double tau = 0;     // n₁ᵀn₂
};

/// M: the maximum over the region of φᵀ(η − c), given t₁ = n₁ᵀφ, t₂ = n₂ᵀφ and t₃ = ‖φ‖; a little
/// larger where rounding is at stake.
double largest_product(const Region& region, double t1, double t2, double t3);

}  // namespace ardent
