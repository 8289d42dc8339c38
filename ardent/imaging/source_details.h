// What is known of the sources that were found beyond their fluxes: errors of their places with
// covariances, the sky below them, how well the model fits there, and what to be wary of.
//
// Covariances are v(JᵀWJ)⁻¹ of a source with all those whose light it shares (psf_fit.h), at the
// noise that the search ended with. They are those of the fit: that a neighbour may not be there at
// all is in `Detection::flux_sd` alone.
#pragma once

#include <vector>

#include "ardent/imaging/locate_options.h"

namespace ardent {

/// Bits of SourceDetails::flags.
enum SourceFlag {
  kAtBorder = 1,        // within 2σ of the border
  kPixelsMissing = 2,   // within 2σ some pixel is missing, masked or was rejected as bad
  kSaturated = 4,       // or is saturated
  kBlended = 8,         // shares light with a neighbour: nearer than the sum of both 2σ
  kDoubtful = 16,       // probability of presence below 0.9
  kJoinedSources = 32,  // stands for several that were joined
};

struct SourceDetails {
  double x_sd = 0, y_sd = 0, z_sd = 0;    // pixels; z of a stack
  double sigma_sd = 0;                    // 0: the width is known
  double cov_xy = 0;                      // pixels²
  double cov_x_flux = 0, cov_y_flux = 0;  // pixels × units of the image
  double sky = 0;                         // background at the source
  double chi_square = 0;                  // of the pixels within 2σ, per degree of freedom
  Index pixels = 0;                       // known ones within 2σ
  int flags = 0;
};

/// For each detection; `image` and `options` are those of the search.
std::vector<SourceDetails> source_details(const Image& image, const LocateOptions& options,
                                          const LocateResult& found);

/// The standard deviation of every pixel, sources included, as the search ended with it; with the
/// image's header.
Image noise_map(const Image& image, const LocateOptions& options, const LocateResult& found);

}  // namespace ardent
