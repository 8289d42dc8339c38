// WeightSpace: the linear algebra of one Gaussian step, seen from the side where it is small.
//
// For fixed prior precisions A = diag(alpha) and row weights B = diag(beta), everything an A-stage
// asks for comes from the bordered precision matrix of (w, b)
//
//   H = [ PhiᵀB Phi + A    PhiᵀB 1     ]
//       [ 1ᵀB Phi          1ᵀB 1 + τ   ]      τ: precision of the free bias
//
// The primal space factorises H itself, (m+1)×(m+1). The dual space never forms it: it factorises
// I + B^½ Phi A⁻¹Phiᵀ B^½, N×N, and is the cheaper one when m > N or nearly so. Both give the same
// numbers.
#pragma once

#include "ardent/base/types.h"

namespace ardent {

/// w_k ~ N(0, 1/alpha_k), b ~ N(0, 1/bias_precision).
struct Prior {
  Vector alpha;
  bool bias = true;
  double bias_precision = 1e-8;
};

/// A linear predictor f = Phi w + b, or a direction in which to move one.
struct Predictor {
  Vector coordinates;  // primal: w itself; dual: a, with w = A⁻¹Phiᵀa
  double bias = 0;
  Vector fitted;  // f = Phi w + b
};

/// What the last factorisation says about each weight.
struct Relevance {
  Vector gamma;           // m: 1 − alpha_k Σ_kk, in [0, 1]
  double bias_gamma = 0;  // the same of the bias: 1 − τ Σ_bb; 0 without one
};

class WeightSpace {
 public:
  virtual ~WeightSpace() = default;

  /// f = b everywhere.
  virtual Predictor constant(double bias) const = 0;

  /// Factorises H at these row weights.
  virtual void factor(const Vector& beta) = 0;
  /// H⁻¹ (−∇L) at a predictor whose likelihood gradient in f is `residual`.
  virtual Predictor newton_step(const Vector& residual, const Predictor& at) const = 0;
  /// wᵀA w' + τ b b'
  virtual double inner(const Predictor& one, const Predictor& other) const = 0;
  virtual Vector weights(const Predictor& predictor) const = 0;

  virtual Relevance relevance() const = 0;
  /// beta_i φ_iᵀΣφ_i of each row, the bias in φ_i: what the row says of its own f; in [0, 1).
  virtual Vector leverages() const = 0;
  /// log|H| − Σ log alpha_k − log τ  (≥ 0)
  virtual double log_determinant_ratio() const = 0;
  /// H⁻¹, the bias last.
  virtual Matrix covariance() const = 0;
  /// What the last factorisation added to the equilibrated diagonal; 0 unless H is singular to
  /// rounding.
  virtual double jitter() const = 0;
};

}  // namespace ardent
