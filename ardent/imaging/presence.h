// How sure each source of a fit is, and its flux.
//
// Probability of presence: the odds of the model with the source against the one without it, the
// others fitted again, by Laplace's method for both:
//   log odds = ½(Δχ² + log|P| − log|JᵀWJ/v + P| + log|J₋ᵀWJ₋/v + P₋|)
// P are the precisions of a normal prior over the parameters, as high at the source as these: a
// place at random among the tile's pixels over its sources, a width at random in its range, a flux
// on any scale (density 1/flux over three decades, or uniform up to the tile's brightest if that is
// wider). A source that the data do not distinguish from its neighbour gains nothing in χ² and
// loses by how much its flux is pinned down.
//
// v is the noise on the scale of the source in question (width_noise.h). What the other tiles of an
// image say of how frequent sources are comes after (source_density.h).
//
// Variance of a flux, over the models as well as within them: with p the probability of a
// neighbour, and fluxes f₁ and f₀ of the fits with and without it,
//   v (JᵀWJ)⁻¹ + Σ over neighbours in doubt p(1 − p)(f₁ − f₀)²
// the second term for the neighbours that were dropped, too. Without it the errors of sources that
// share their light with one in doubt are too small.
#pragma once

#include <vector>

#include "ardent/imaging/psf_fit.h"

namespace ardent {

/// Detections nearer than `radius` are one, the brightest first: place and width weighted by flux,
/// the sum of the fluxes and of their variances (their fluxes are anticorrelated: it is an upper
/// bound).
std::vector<Detection> joined(std::vector<Detection> detections, double radius);

inline const std::vector<WidthNoise> kIndependentPixels;

/// What sources are judged by: v of a source is noise_variance times the ratio of its width. What
/// it refers to must outlive it.
struct Evidence {
  const Image& pixels;
  const Image* weights = nullptr;  // as in fit_sources
  double noise_variance = 1;
  const std::vector<WidthNoise>& widths = kIndependentPixels;
};

/// The probability of each source of the fit, by its flux over its standard deviation; where that
/// alone does not settle it, by fitting the others without it.
std::vector<Detection> judge(const PsfFit& fit, const Evidence& evidence,
                             const PsfFitOptions& options);

/// Drops the least probable sources that share no light and fits the others again until all are as
/// probable as asked; `fit` becomes that of the ones left.
std::vector<Detection> keep_probable(PsfFit& fit, double least_probability,
                                     const Evidence& evidence, const PsfFitOptions& options);

}  // namespace ardent
