// Cholesky factorisation that does not fail on semidefinite matrices.
#pragma once

#include "ardent/base/types.h"

namespace ardent {

/// H = L Lᵀ for symmetric positive (semi)definite H. The matrix is equilibrated to unit diagonal
/// first; where rounding makes it indefinite or leaves a pivot that is rounding alone, the smallest
/// jitter of 1e-14 · 10^k that helps is added to the equilibrated diagonal; jitter() says which.
/// Blocked and parallel: n³/3 operations to factorise, n³/3 for diag(H⁻¹), 2n³/3 for H⁻¹; the same
/// bits for any number of threads.
class Cholesky {
 public:
  /// Reads the lower triangle of H, whose diagonal must be positive and finite.
  explicit Cholesky(const Matrix& h);

  Vector solve(const Vector& b) const;
  Matrix solve(const Matrix& b) const;
  Matrix inverse() const;
  /// diag(H⁻¹) alone.
  Vector inverse_diagonal() const;
  double log_determinant() const;
  /// L⁻¹ b, so that ‖L⁻¹b‖² = bᵀH⁻¹b.
  Matrix half_solve(const Matrix& b) const;
  double jitter() const { return jitter_; }

 private:
  Matrix inverse_factor() const;

  Vector scale_;   // H = D Ĥ D with D = diag(scale)
  Matrix factor_;  // L̂, of the equilibrated Ĥ = L̂ L̂ᵀ: lower triangle
  double jitter_ = 0;
};

}  // namespace ardent
