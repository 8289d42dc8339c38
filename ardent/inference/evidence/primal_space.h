// The primal weight space: factorises the bordered precision matrix H, (m+1)×(m+1).
//
// Cost of a factorisation: N m²/2 for PhiᵀB Phi (nothing if the Gram matrix is given and B is a
// multiple of I) and m³/6 for Cholesky; relevance adds m³/3 multiplications.
#pragma once

#include <memory>

#include "ardent/design/design.h"
#include "ardent/inference/evidence/space_matrices.h"
#include "ardent/inference/evidence/weight_space.h"

namespace ardent {

/// [Phi 1]ᵀ diag(beta) [Phi 1]; without the last row and column if there is no bias.
Matrix bordered_gram(const Design& phi, const Vector& beta, bool bias);
/// bordered_gram + diag(alpha, τ): the Hessian of L = −log likelihood + ½wᵀAw + ½τb².
Matrix bordered_hessian(const Design& phi, const Vector& beta, const Prior& prior);
/// −∇L at (w, b), the bias last: [Phi 1]ᵀ residual − (A w, τ b).
Vector bordered_ascent(const Design& phi, const Vector& residual, const Vector& w, double bias,
                       const Prior& prior);

class PrimalSpace : public WeightSpace {
 public:
  /// `unit_gram`, if given, is bordered_gram(phi, c, bias) for row weights c that sum to
  /// `row_count`; then every beta must be a multiple of c.
  /// The design and the prior must outlive the space.
  PrimalSpace(const Design& phi, const Prior& prior,
              std::shared_ptr<const Matrix> unit_gram = nullptr, double row_count = 0);
  /// With matrices that somebody else forms, of this design and prior.
  PrimalSpace(const Design& phi, const Prior& prior, std::unique_ptr<PrimalMatrices> matrices);

  Predictor predictor(const Vector& weights, double bias) const;
  Predictor constant(double bias) const override;
  void factor(const Vector& beta) override;
  Predictor newton_step(const Vector& residual, const Predictor& at) const override;
  double inner(const Predictor& one, const Predictor& other) const override;
  Vector weights(const Predictor& predictor) const override { return predictor.coordinates; }
  Relevance relevance() const override;
  Vector leverages() const override;
  double log_determinant_ratio() const override;
  Matrix covariance() const override { return matrices_->inverse(); }
  double jitter() const override { return matrices_->jitter(); }

 private:
  const Design& phi_;
  const Prior& prior_;
  std::unique_ptr<PrimalMatrices> matrices_;
  Vector beta_;  // of the last factorisation
};

}  // namespace ardent
