// The posterior of the coefficients that are not zero, and what reweighting needs, from k×k
// algebra.
//
// θ_i ~ N(0, γ_i), y = Φθ + noise of variance λ. With S the k atoms whose γ is not zero,
//   B = I + Γ_S^½ Φ_SᵀΦ_S Γ_S^½/λ = LLᵀ
//   mean        Γ_S^½ B⁻¹ Γ_S^½ ρ_S/λ                 covariance  Γ_S^½ B⁻¹ Γ_S^½       (paper, eq.
//   9) log|Σ_Y|    N log λ + log|B|                      Σ_Y = λI + ΦΓΦᵀ γ_h,i       φ_iᵀΣ_Y⁻¹φ_i =
//   (d_i² − ‖L⁻¹Γ_S^½Φ_Sᵀφ_i‖²/λ)/λ                           (paper, eq. 16)
// The paper's N×N form of the last is where its method spends its time; this one costs k²n.
#pragma once

#include <Eigen/Cholesky>
#include <span>
#include <vector>

#include "ardent/base/types.h"

namespace ardent {

class ActivePosterior {
 public:
  /// `gram` = Φ_SᵀΦ_S; all γ are positive. k may be 0.
  ActivePosterior(const Matrix& gram, Vector gamma, double lambda);

  Vector mean(const Vector& support_rho) const;
  Matrix covariance() const;
  /// log|B|.
  double log_determinant() const;
  /// γ_h of all atoms, given their lengths d, the atoms of S and Φᵀφ_j for each of them. Clipped to
  /// what it can be, [d²/(λ + Σγd²), d²/λ], so that no atom is shut out for good. Parallel.
  Vector reweighting(const Vector& norms, std::span<const Index> support,
                     const std::vector<const Vector*>& gram_rows) const;

 private:
  Index size() const { return gamma_.size(); }
  bool is_factorised() const;

  Vector gamma_;
  Vector root_gamma_;
  double lambda_;
  Eigen::LLT<Matrix> factor_;  // of B
};

}  // namespace ardent
