// Cholesky factorisation that does not fail on semidefinite matrices.
#pragma once

#include <Eigen/Cholesky>

#include "ardent/base/types.h"

namespace ardent {

/// H = L Lᵀ for symmetric positive (semi)definite H. The matrix is equilibrated to unit diagonal
/// first; where rounding makes it indefinite, the smallest jitter of 1e-14 · 10^k that helps is
/// added to the equilibrated diagonal and reported.
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
  Vector scale_;  // H = D Ĥ D with D = diag(scale)
  Eigen::LLT<Matrix> factor_;
  double jitter_ = 0;
};

}  // namespace ardent
