// Ridge regression at every strength, and what every fold says of each, from one factorisation.
//
//   minimise  Σ_i c_i (t_i − b − φ_iᵀw)² + α‖w‖²
//
// With the columns about their means (where there is a bias to take these) and rows times √c_i, X,
// and y = √c t: X Xᵀ = U diag(λ) Uᵀ, from the eigenvectors of XᵀX where columns are fewer. Then
//
//   fitted values  H y,   H = uuᵀ + U diag(λ/(λ + α)) Uᵀ,   u = √c/‖√c‖ (none without a bias)
//   w = Xᵀ U diag(1/(λ + α)) Uᵀy
//   rows B that had no say:   error_B = (I − H_BB)⁻¹ (y − H y)_B,   exactly
//
// so a fold costs a system of its own rows. Once: N M m + about 10 m³ multiplications, m the
// smaller of N and M; each strength: N² m/F + N³/(3F²) for F folds.
#pragma once

#include "ardent/data/folds.h"
#include "ardent/inference/evidence/evidence.h"

namespace ardent {

class RidgeFamily {
 public:
  /// A regression, all of whose rows are here. The columns are read as they are.
  RidgeFamily(const ActiveProblem& problem, bool bias);

  /// Squared error of each row, as often as it counts, by a fit of the rows that its fold trains
  /// on.
  Vector held_out_losses(double alpha, const std::vector<Split>& folds) const;

  struct Weights {
    Vector w;
    double bias = 0;
  };
  Weights weights(double alpha) const;
  /// log N(t | b, σ²(I + Φ Φᵀ/α)), the bias under a flat prior, σ² where that is highest; less
  /// that of no column at all.
  double log_evidence_over_bias(double alpha) const;

 private:
  void factorise(const Matrix& x);

  const ActiveProblem& problem_;
  Vector root_;  // √c
  Vector unit_;  // u, or 0
  Vector mean_;  // of the columns, or 0
  Vector y_;
  Matrix u_;       // N × rank
  Vector lambda_;  // above rounding
  Vector along_;   // Uᵀy
  double target_mean_ = 0;
};

}  // namespace ardent
