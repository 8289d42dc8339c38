// Refit with a pooled precision: shrinkage apart from selection.
//
// Converged ARD under-shrinks its survivors: M free precisions carry no Occam cost. Here the
// columns are given (what an engine kept), and their precisions follow from two numbers,
//   alpha_k = a₀ c_p h_k^p,   h_k = ¼‖phi_k‖²,   c_p = (4/N) Σ_j h_j^{1−p}
// so that the prior variance of f, averaged over the rows, is 1/a₀ whatever p. p = 0 is ridge in
// the caller's units, p = 1 ridge in standard units (columns of RMS 1). In standard units
//   alpha'_k = a₀ Σ_j (h_j/h_k)^{1−p}.
// The mode is found by Newton-CG; the Gaussian likelihood alternates it with the noise variance.
// a₀ and p are for the caller to choose, on rows that had no part in the fit.
#pragma once

#include <span>

#include "ardent/inference/engine.h"

namespace ardent {

struct PooledPrior {
  double strength = 0.1;  // a₀ > 0: one over the prior variance of f
  double power = 0.5;     // p in [0, 1]
};

/// Of all the design's columns, in standard units; zero columns are left out by the fit, and get 1.
Vector pooled_precisions(const Vector& square_norms, const PooledPrior& prior);

/// Keeps every column of the design that is not zero. Of the options it reads bias,
/// bias_precision and covariance.
Fit fit_pooled(const Design& design, const Target& target, const PooledPrior& prior,
               const EngineOptions& options);

}  // namespace ardent
