// S and Q of every basis for the Gaussian likelihood, kept up to date from step to step
// (scan.h).
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "ardent/inference/sequential/scan.h"
#include "ardent/linalg/cholesky.h"

namespace ardent {

class GaussianScan : public BasisScan {
 public:
  explicit GaussianScan(const ActiveProblem& candidates);
  BasisStatistics scan(const EvidenceState& state, std::span<const Index> active) override;

 private:
  /// Which prior variance 1/alpha is another than at the last scan, where it is the only one.
  struct Change {
    Index basis;
    double variance;  // Δ(1/alpha)
  };
  std::optional<Change> single_change(const EvidenceState& state,
                                      std::span<const Index> active) const;
  /// False where the update would lose digits; then nothing has changed.
  bool update(const Change& change);
  void compute(const EvidenceState& state);
  /// G, the factor of H and the precisions of this state.
  void follow(const EvidenceState& state, std::span<const Index> active);
  const Vector& products_with(Index basis);  // PhiᵀC₀φ
  const Vector& remember(Index basis, Vector products);

  const ActiveProblem& candidates_;
  Vector square_norms_;     // φ_kᵀC₀φ_k
  Vector target_products_;  // PhiᵀC₀t
  Vector bias_products_;    // PhiᵀC₀1

  // Of the last scan:
  std::vector<Index> active_;
  Precisions precisions_;
  Matrix products_;                 // G
  std::optional<Cholesky> factor_;  // of H
  BasisStatistics total_;           // S and Q
  Index updates_ = 0;               // since they were computed from scratch

  /// Of bases that are looked at or have just left the model: an exchange brings them back.
  struct Fetched {
    Index basis;
    Vector products;
  };
  std::deque<Fetched> fetched_;  // the latest first
};

}  // namespace ardent
