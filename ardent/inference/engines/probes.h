// Engine "probes": the diagonal of Σ = H⁻¹ from random probes (CoFEM; Lin, Song, Tolooshams and Ba,
// "Covariance-free sparse Bayesian learning").
//
// MAP-stage  as `diagonal`
// A-stage    Σ̂_kk = (1/K) Σ_j z_jk x_jk with H x_j = z_j, z_j random signs; x_j by preconditioned
//            conjugate gradients; clipped to 1/H_kk ≤ Σ̂_kk ≤ 1/alpha_k, which the truth obeys
//            alpha_k ← max(γ_k/w_k², 1/(w_k² + Σ̂_kk)),  γ_k = 1 − alpha_k Σ̂_kk
//
// The estimate of γ_k is unbiased with variance up to γ(1−γ)/K, so a small γ can come out as zero
// and a fixed point of MacKay's update alone loses weights that matter (78.9% → 50.4% was seen):
// the maximum with the EM update keeps it from running away. Converges to `exact` as K grows.
//
// Cost per stage: that of `diagonal` and K solves. The same seed gives the same probes.
#pragma once

#include "ardent/inference/engine.h"

namespace ardent {

Fit fit_probes(const Design& design, const Target& target, const EngineOptions& options = {},
               const ProgressCallback& progress = {});

}  // namespace ardent
