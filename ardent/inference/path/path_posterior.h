// The posterior that a solution on the path carries.
//
// Under w_k ~ N(0, γ_k), γ_k = |w_k|/(λ u_k), the solution is the posterior mode, and Laplace's
// approximation about it has Σ⁻¹ = PhiᵀBPhi + diag(1/γ) over what is kept, the bias bordered with
// its own small precision. Gaussian: all of that over σ², with σ² as in noise_prior.h, but not
// below the squared error of held-out rows less the part of it that is the weights' own, σ²Σγ/N:
// what was chosen for its fit fits better than it predicts. Beyond 2,000 weights the covariance is
// not formed: variances are 1/Σ⁻¹_kk.
#pragma once

#include "ardent/inference/evidence/standard_units.h"
#include "ardent/inference/path/l1_solver.h"

namespace ardent {

/// In the caller's units. `penalties`: u of the solution. `held_out_loss`: Gaussian, the mean
/// squared error of held-out rows, 0 if it is not known; the noise is not below what it says.
Posterior path_posterior(const L1Solution& solution, const Vector& penalties, double held_out_loss,
                         const StandardProblem& standard, const EngineOptions& options,
                         std::vector<std::string>& warnings);

}  // namespace ardent
