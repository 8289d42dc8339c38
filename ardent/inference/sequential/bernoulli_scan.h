// S and Q of every basis for the Bernoulli likelihood, linearised at the state's mode
// (scan.h).
#pragma once

#include "ardent/inference/sequential/scan.h"

namespace ardent {

class BernoulliScan : public BasisScan {
 public:
  explicit BernoulliScan(const ActiveProblem& candidates);
  BasisStatistics scan(const EvidenceState& state, std::span<const Index> active) override;

 private:
  /// φ_kᵀBφ_k, S and Q of every basis from the dense copy, in one pass over it.
  void scan_dense(const Matrix& columns, const Vector& residual, const Vector& beta,
                  Vector& square_norms, BasisStatistics& statistics) const;
  /// ‖φ_kᵀ columns‖² of every basis k.
  Vector product_square_norms(const Matrix& columns) const;

  const Design& phi_;
  Matrix dense_;  // Phi for matrix–matrix products; empty where it is too large or mostly zeros
};

}  // namespace ardent
