// What the evidence says about every basis function on its own, the others held as they are.
//
// With B the row precisions (Gaussian: row weights over σ²; Bernoulli: curvatures at the mode),
// H = [Phi_A 1]ᵀB[Phi_A 1] + diag(alpha, τ) = L Lᵀ the posterior precision of the active set A and
// C⁻¹ = B − B[Phi_A 1]H⁻¹[Phi_A 1]ᵀB (Tipping and Faul 2003, equations 23 and 24):
//
//   S_k = φ_kᵀC⁻¹φ_k = φ_kᵀBφ_k − ‖L⁻¹[Phi_A 1]ᵀBφ_k‖²,   Q_k = φ_kᵀ residual
//   inactive k   s = S, q = Q
//   active k     s = alpha γ/(1 − γ), q = alpha w/(1 − γ): no difference of large numbers
//
// The Gaussian likelihood keeps G = PhiᵀC₀[Phi_A 1] (C₀: row weights), one product of N M for each
// basis that enters. While the noise stays, a change of one precision by δ = Δ(1/alpha_i) changes
//
//   S_k by −κ c_k²,  Q_k by −κ c_k Q_i,  c = PhiᵀC⁻¹φ_i,  κ = δ/(1 + δ S_i)
//
// which costs M m multiplications; otherwise M m²/2. The Bernoulli likelihood has a new B at each
// mode: N M m.
#pragma once

#include <span>

#include "ardent/inference/evidence/evidence.h"

namespace ardent {

struct BasisStatistics {
  Vector s;
  Vector q;
};

class BasisScan {
 public:
  virtual ~BasisScan() = default;
  /// s and q of every candidate. `active`: which of them the state's columns are, ascending.
  /// A basis that the active ones and the bias span to rounding has q = 0: nothing of its own.
  virtual BasisStatistics scan(const EvidenceState& state, std::span<const Index> active) = 0;
};

/// s and q of the state's own columns.
BasisStatistics active_statistics(const EvidenceState& state);

/// The parts that both likelihoods share: `statistics` holds S and Q when it comes in, and
/// square_norms φ_kᵀBφ_k.
void finish_statistics(const EvidenceState& state, std::span<const Index> active,
                       const Vector& square_norms, BasisStatistics& statistics);

}  // namespace ardent
