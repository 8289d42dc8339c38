// Simulated scenes of point sources, as in section 5 of paper 001: the truth is known.
//
// Sources lie uniformly at least `margin` pixels from the border (28×28: in [4, 25]²; one plane
// along z), widths are uniform in their ranges, and the amplitude on a PSF of unit length is
// uniform in [0.5, 1.5]; the flux is that amplitude over the PSF's length. White Gaussian noise is
// added, of variance `noise`, or such that 10 log10(Σ signal²/(pixels · variance)) is the SNR asked
// for.
#pragma once

#include <cstdint>
#include <vector>

#include "ardent/base/option_schema.h"
#include "ardent/imaging/psf.h"

namespace ardent {

struct SceneOptions {
  Index sources = 4;      // >= 1
  Index width = 28;       // >= 8
  Index height = 28;      // >= 8
  double sigma_low = 1;   // > 0
  double sigma_high = 3;  // >= sigma_low
  double snr = 10;        // dB, over the whole image; not used where noise is given
  double noise = -1;      // >= 0: variance; below 0: from the SNR
  double background = 0;  // added to every pixel
  double margin = 3;      // >= 0: pixels between a source and the border's pixel centres
  std::uint64_t seed = 1;
  Index depth = 1;                           // 1: an image; >= 3: a stack
  double sigma_z_low = 2, sigma_z_high = 2;  // of a stack: 0 < low <= high
};

/// All but the size and what belongs to stacks.
inline Schema schema(SceneOptions& options) {
  Schema schema;
  schema.add("sources", options.sources, "sources", 1);
  schema.add_range("sigma", options.sigma_low, options.sigma_high,
                   "standard deviation of the PSF in pixels, or a range to draw from", above(0));
  schema
      .add("snr", options.snr,
           "signal-to-noise ratio in decibels, 10 log10(sum signal^2/(pixels * noise variance)) "
           "over the whole image",
           any_number())
      .needing(where("noise", {"auto"}));
  schema.add("noise", options.noise, "noise variance; auto: by the SNR", at_least(0), "auto", -1);
  schema.add("background", options.background, "added to every pixel", any_number());
  schema.add("margin", options.margin, "pixels between sources and the border", at_least(0));
  schema.add("seed", options.seed, "seed of sources and noise");
  return schema;
}

/// Throws InputError naming field, rule and value.
void validate(const SceneOptions& options);

struct Scene {
  Image image;  // with noise and background
  Image clean;  // neither noise nor background
  std::vector<Source> truth;
  double noise_variance = 0;
};

Scene make_scene(const SceneOptions& options);

}  // namespace ardent
