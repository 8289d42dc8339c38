// The variance of a pixel: of what lies under the sources, of the photons of the sources, and of
// how well the PSF is known.
//
//   V = base + max(0, model)/gain + (e·model)²
//
// base is one number v, or differs from pixel to pixel: an error map squared, or the photons of an
// uneven sky. All variances are in the image's units squared; a gain of g photons (electrons) per
// unit makes the variance of n units n/g.
#pragma once

#include <vector>

#include "ardent/imaging/pixels.h"

namespace ardent {

struct PixelNoise {
  double variance = 1;       // v: of a typical pixel without sources
  Image base = {};           // of each pixel; without pixels: v everywhere
  double gain = 0;           // photons per unit; 0: the photons of the sources make no noise
  double profile_error = 0;  // e
  std::vector<WidthNoise> widths = {};  // of what is measured of a source (width_noise.h)

  double base_at(std::size_t p) const { return base.pixels.empty() ? variance : base.pixels[p]; }
  /// V of pixel p where the sources give `model`.
  double at(std::size_t p, double model) const;
  /// Is V the same for every pixel, whatever the model?
  bool is_uniform() const { return base.pixels.empty() && gain == 0 && profile_error == 0; }
  /// Is the base one number?
  bool has_one_base() const { return base.pixels.empty(); }
};

/// v/V of every pixel.
Image weights_of(const Image& model, const PixelNoise& noise);

/// The median over the pixels that `image` knows; 0 if there are none.
double typical_variance(const Image& base, const Pixels& image);

/// What is known beforehand; numbers that are 0 or below and images that are null are not.
struct NoiseKnowledge {
  double variance = 0;               // of what lies under the sources
  double gain = 0;                   // photons per unit
  double read_noise = -1;            // electrons; 0 is known, too. Needs a gain
  const Image* error_map = nullptr;  // standard deviations
};

/// In this order: the error map; read noise and the photons of the background; the variance, or
/// what the second differences of `sky_free` show (background.h), and where there is a gain the
/// photons by which the background differs from its median. InputError where nothing shows the
/// noise.
PixelNoise estimate_noise(const Pixels& sky_free, const Pixels& background,
                          const NoiseKnowledge& known);

}  // namespace ardent
