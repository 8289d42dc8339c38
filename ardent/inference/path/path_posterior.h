// The posterior that a solution on the path carries.
//
// Under w_k ~ N(0, γ_k), 1/γ_k = λ(u_k/|w_k| + ρ), the solution is the posterior mode, and
// Laplace's approximation about it has Σ⁻¹ = PhiᵀBPhi + diag(1/γ) over what is kept, the bias
// bordered with its own small precision. Gaussian: all of that over σ², with σ² as in
// noise_prior.h, but not below the squared error of held-out rows less the part of it that is the
// weights' own, σ²Σγ/N: what was chosen for its fit fits better than it predicts. Beyond 2,000
// weights the covariance is not formed: variances are 1/Σ⁻¹_kk.
#pragma once

#include "ardent/inference/evidence/standard_units.h"
#include "ardent/inference/path/l1_solver.h"

namespace ardent {

/// The target in standard units, the columns in the caller's, on which penalties depend.
StandardProblem with_callers_columns(const Design& design, const Target& target,
                                     const EngineOptions& options,
                                     std::vector<std::string>& warnings);

/// Laplace's approximation about a mode under w_k ~ N(0, 1/alpha_k), for unit noise. In the
/// caller's units; its probabilities are those of the mode. `held_out_loss` as below.
Posterior mode_posterior(const L1Solution& mode, const Vector& alpha, double held_out_loss,
                         const StandardProblem& standard, const EngineOptions& options,
                         std::vector<std::string>& warnings);

/// In the caller's units. `penalties`: u of the solution. `held_out_loss`: Gaussian, the mean
/// squared error of held-out rows, 0 if it is not known; the noise is not below what it says.
Posterior path_posterior(const L1Solution& solution, const Vector& penalties, double held_out_loss,
                         const StandardProblem& standard, const EngineOptions& options,
                         std::vector<std::string>& warnings);

}  // namespace ardent
