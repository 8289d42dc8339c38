// Point sources off the grid: bounded least squares over places, widths and fluxes together.
//
//   minimise  χ²(x, y, σ, I) = Σ_pixels w (value − Σ_k I_k share_k)²/v
//
// Levenberg–Marquardt with the derivatives of the shares; a step is cut back to its bounds (places
// within `reach` pixels of the start, widths in their range, fluxes ≥ 0 unless dark sources are
// allowed) and stands only if χ² falls. v·(JᵀWJ)⁻¹ is the covariance of the linearised model.
// Missing pixels have weight 0, others 1 unless weights are given (the noise variance v over that
// of the pixel). Cost per iteration: P² times the pixels that overlapping sources share, for P = 4
// (widths known: 3) parameters per source.
#pragma once

#include <vector>

#include "ardent/imaging/psf_shape.h"

namespace ardent {

struct PsfFitOptions {
  double sigma_low = 1;     // > 0
  double sigma_high = 3;    // >= sigma_low; equal: widths are known and not fitted
  double reach = 2;         // > 0
  bool nonnegative = true;  // fluxes ≥ 0
  Index max_steps = 30;     // >= 1
  double tolerance = 1e-6;  // > 0: converged when χ² falls by less than this fraction
  const PsfShape* shape = &gaussian_psf();  // must outlive the fit
};

struct PsfFit {
  std::vector<Source> sources;
  double square_sum = 0;  // Σ w (value − model)²
  Matrix hessian;         // JᵀWJ of (x, y, flux, σ) source by source, J = ∂model/∂parameters
  Index parameters_each = 4;  // 3: without σ
};

/// (JᵀWJ)⁻¹: the covariance of the parameters over the noise variance. A source without light
/// leaves its place undetermined: its variances are large then, not infinite.
Matrix parameter_covariance(const PsfFit& fit);

PsfFit fit_sources(const Image& image, std::vector<Source> start, const PsfFitOptions& options,
                   const Image* weights = nullptr);

}  // namespace ardent
