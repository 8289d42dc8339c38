// The matrices of a weight space: all that takes more than a product with Phi. Those of the
// processor are in primal_space.cpp and dual_space.cpp; an accelerator (inference/accelerator.h)
// has its own, where only vectors, and the covariance of a final model, come back.
#pragma once

#include "ardent/base/types.h"

namespace ardent {

/// The bordered precision matrix H of weight_space.h and its factor.
class PrimalMatrices {
 public:
  virtual ~PrimalMatrices() = default;
  /// Forms and factorises H at these row weights.
  virtual void factor(const Vector& beta) = 0;
  virtual Vector solve(const Vector& b) const = 0;  // H⁻¹b
  virtual Vector inverse_diagonal() const = 0;      // of H⁻¹
  virtual Matrix inverse() const = 0;
  virtual double log_determinant() const = 0;
  virtual double jitter() const = 0;
};

/// K = Phi A⁻¹Phiᵀ, and the factor W = I + S K S = L Lᵀ (dual_space.h).
class DualMatrices {
 public:
  virtual ~DualMatrices() = default;
  virtual Vector kernel_times(const Vector& v) const = 0;  // K v
  /// Forms and factorises W; S = diag(root_beta).
  virtual void factor(const Vector& root_beta) = 0;
  virtual Vector solve(const Vector& b) const = 0;      // W⁻¹b
  virtual Vector half_solved_square_norms() const = 0;  // ‖L⁻¹S φ_k‖², column by column
  virtual Matrix half_solved_products() const = 0;      // PhiᵀS W⁻¹S Phi, symmetric to the bit
  virtual Vector inverse_diagonal() const;              // of W⁻¹
  virtual double log_determinant() const = 0;           // of W
  virtual double jitter() const = 0;
};

}  // namespace ardent
