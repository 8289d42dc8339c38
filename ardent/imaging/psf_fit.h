// Point sources off the grid: bounded least squares over places, widths and fluxes together.
//
//   minimise  χ²(x, y, I, σ; of a stack z, σ_z, too) = Σ_pixels w (value − Σ_k I_k share_k)²/v
//
// Levenberg–Marquardt with the derivatives of the shares; a step is cut back to its bounds (places
// within `reach` pixels of the start, widths in their range, fluxes ≥ 0 unless dark sources are
// allowed) and stands only if χ² falls. v·(JᵀWJ)⁻¹ is the covariance of the linearised model.
// Missing pixels have weight 0, others 1 unless weights are given (the noise variance v over that
// of the pixel). Cost per iteration: P² times the pixels that overlapping sources share, for P = 4
// (widths known: 3; of a stack 6 or 4) parameters per source.
#pragma once

#include <vector>

#include "ardent/imaging/psf_shape.h"

namespace ardent {

struct PsfFitOptions {
  double sigma_low = 1;                      // > 0
  double sigma_high = 3;                     // >= sigma_low; equal: widths are known and not fitted
  double sigma_z_low = 2, sigma_z_high = 2;  // of a stack, as those of σ
  double reach = 2;                          // > 0
  bool nonnegative = true;                   // fluxes ≥ 0
  Index max_steps = 30;                      // >= 1
  double tolerance = 1e-6;  // > 0: converged when χ² falls by less than this fraction
  const PsfShape* shape = &gaussian_psf();  // must outlive the fit
};

/// What of each source is fitted: x, y and flux, σ and σ_z where they are not known, z in a stack.
using FittedParameters = std::vector<double Source::*>;
FittedParameters fitted_parameters(const PsfFitOptions& options, bool stack);
constexpr Index kFluxParameter = 2;  // where the flux is among them

struct PsfFit {
  std::vector<Source> sources;
  double square_sum = 0;  // Σ w (value − model)²
  Matrix hessian;         // JᵀWJ of the parameters source by source, J = ∂model/∂parameters
  FittedParameters parameters = {};
};

/// (JᵀWJ)⁻¹: the covariance of the parameters over the noise variance. A source without light
/// leaves its place undetermined: its variances are large then, not infinite.
Matrix parameter_covariance(const PsfFit& fit);

PsfFit fit_sources(const Image& image, std::vector<Source> start, const PsfFitOptions& options,
                   const Image* weights = nullptr);

}  // namespace ardent
