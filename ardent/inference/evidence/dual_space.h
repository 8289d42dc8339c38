// The dual weight space: factorises an N×N matrix, for designs with more columns than rows.
//
// With K = Phi A⁻¹Phiᵀ and S = B^½ (Rasmussen and Williams 2006, algorithm 3.1):
//
//   W = I + S K S                      eigenvalues ≥ 1, however small beta gets on separable data
//   u = S 1,  ũ = W⁻¹u,  s = τ + uᵀũ   the Schur complement of the bias in H
//
// The bias is bordered rather than put into K, where its variance 1/τ = 1e8 would drown the rest.
// With w = A⁻¹Phiᵀa, P = PhiᵀB Phi + A and the push-through identity P⁻¹PhiᵀS = A⁻¹PhiᵀS W⁻¹:
//
//   step     r = residual − a,  q = S K r,  δb = (1ᵀresidual − τb − ũᵀq)/s,
//            δa = r − S W⁻¹q − S ũ δb            relative to r: rounding does not build up
//   log|H| = Σ log alpha_k + log|W| + log s
//   γ_k    = (‖L⁻¹Sφ_k‖² − z_k²/s)/alpha_k,  z = PhiᵀSũ,  W = L Lᵀ
//   beta_i φ_iᵀΣφ_i = 1 − (W⁻¹)_ii + ũ_i²/s
//   Σ_ww   = A⁻¹ − A⁻¹(PhiᵀS W⁻¹S Phi − zzᵀ/s)A⁻¹,  Σ_wb = −A⁻¹z/s,  Σ_bb = 1/s
//
// Cost: N²m/2 once for K, N³/6 a factorisation, N²m/2 for relevance. Memory: O(N²) beside Phi.
#pragma once

#include <memory>

#include "ardent/design/design.h"
#include "ardent/inference/evidence/space_matrices.h"
#include "ardent/inference/evidence/weight_space.h"

namespace ardent {

class DualSpace : public WeightSpace {
 public:
  /// The design and the prior must outlive the space.
  DualSpace(const Design& phi, const Prior& prior);
  /// With matrices that somebody else forms, of this design and prior.
  DualSpace(const Design& phi, const Prior& prior, std::unique_ptr<DualMatrices> matrices);

  Predictor constant(double bias) const override;
  void factor(const Vector& beta) override;
  Predictor newton_step(const Vector& residual, const Predictor& at) const override;
  double inner(const Predictor& one, const Predictor& other) const override;
  Vector weights(const Predictor& predictor) const override;
  Relevance relevance() const override;
  Vector leverages() const override;
  double log_determinant_ratio() const override;
  Matrix covariance() const override;
  double jitter() const override { return matrices_->jitter(); }

 private:
  Predictor predictor(Vector dual, double bias) const;

  const Design& phi_;
  const Prior& prior_;
  std::unique_ptr<DualMatrices> matrices_;
  Vector root_beta_;       // diag S
  Vector solved_ones_;     // ũ
  double bias_schur_ = 0;  // s
};

}  // namespace ardent
