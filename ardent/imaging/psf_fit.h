// Point sources off the grid: bounded least squares over places, widths and fluxes together.
//
//   minimise  χ²(x, y, σ, I) = Σ_pixels (value − Σ_k I_k ΔE(x − x_k) ΔE(y − y_k))²/v
//
// Levenberg–Marquardt with the derivatives of ΔE; a step is cut back to its bounds (places within
// `reach` pixels of the start, widths in their range, fluxes ≥ 0) and stands only if χ² falls.
// v·(JᵀJ)⁻¹ is the covariance of the linearised model. Missing pixels are left out.
// Cost an iteration: N P² for P = 4 (widths known: 3) parameters a source.
#pragma once

#include <vector>

#include "ardent/imaging/psf.h"

namespace ardent {

struct PsfFitOptions {
  double sigma_low = 1;     // > 0
  double sigma_high = 3;    // >= sigma_low; equal: widths are known and not fitted
  double reach = 2;         // > 0
  Index max_steps = 30;     // >= 1
  double tolerance = 1e-6;  // > 0: converged when χ² falls by less than this part
};

struct PsfFit {
  std::vector<Source> sources;
  double square_sum = 0;  // Σ (value − model)²
  Matrix hessian;         // JᵀJ of (x, y, flux, σ) source by source, J = ∂model/∂parameters
  Index parameters_each = 4;  // 3: without σ
};

/// (JᵀJ)⁻¹: the covariance of the parameters over the noise variance. A source without light leaves
/// its place undetermined: its variances are large then, not infinite.
Matrix parameter_covariance(const PsfFit& fit);

PsfFit fit_sources(const Image& image, std::vector<Source> start, const PsfFitOptions& options);

}  // namespace ardent
