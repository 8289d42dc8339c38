// The posterior that a solution on the path carries.
//
// Under w_k ~ N(0, γ_k), γ_k = |w_k|/(λ u_k), the solution is the posterior mode, and Laplace's
// approximation about it has Σ⁻¹ = PhiᵀBPhi + diag(1/γ) over what is kept, the bias bordered with
// its own small precision. Gaussian: all of that over σ², with σ² as in noise_prior.h. Beyond 2,000
// weights the covariance is not formed: variances are 1/Σ⁻¹_kk.
#pragma once

#include "ardent/inference/evidence/standard_units.h"
#include "ardent/inference/path/l1_solver.h"

namespace ardent {

/// In the caller's units. `penalties`: u of the solution.
Posterior path_posterior(const L1Solution& solution, const Vector& penalties,
                         const StandardProblem& standard, const EngineOptions& options,
                         std::vector<std::string>& warnings);

}  // namespace ardent
