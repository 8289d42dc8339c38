// Images as astronomers and microscopists count them: pixel (x, y) has its centre at whole numbers,
// x from 1 to width, y from 1 to height, as in FITS. A missing pixel is NaN.
//
// A stack of planes is an image with a depth above 1, its planes counted by z from 1 on; all that
// is done to images is done to stacks by the same code.
#pragma once

#include <string>
#include <vector>

#include "ardent/index.h"

namespace ardent {

struct Image {
  Index width = 0;
  Index height = 0;
  std::vector<double> pixels;            // x fastest, then y, then z: size() of them
  std::vector<std::string> header = {};  // FITS cards that are not about the layout, as they came
  Index depth = 1;                       // planes; 1: an image, no stack

  Index size() const { return width * height * depth; }
  bool is_stack() const { return depth > 1; }
  double at(Index x, Index y, Index z = 1) const { return pixels[place(x, y, z)]; }
  double& at(Index x, Index y, Index z = 1) { return pixels[place(x, y, z)]; }
  /// Position of pixel (x, y, z), counted from 1, in `pixels`.
  std::size_t place(Index x, Index y, Index z = 1) const {
    return static_cast<std::size_t>(((z - 1) * height + y - 1) * width + x - 1);
  }
};

/// A point source: its place in pixels (counted as in Image), its width and its total light. In an
/// image that is no stack z and σ_z have no meaning.
struct Source {
  double x = 0;
  double y = 0;
  double sigma = 1;  // > 0
  double flux = 1;
  double z = 1;
  double sigma_z = 2;  // > 0

  /// Goes `share` of the way to another's place and width.
  void approach(const Source& other, double share);
};

/// A source that was found.
struct Detection {
  Source source;
  double flux_sd = 0;
  double probability = 0;           // of presence
  double snr = 0;                   // flux/flux_sd
  std::vector<Source> joined = {};  // whose light it is: itself, or those that were joined
};

/// How much the noise scatters on the scale of a source, over what independent pixels would.
struct WidthNoise {
  double sigma = 0;
  double sigma_z = 0;  // of a stack
  double ratio = 1;    // of standard deviations
};

struct LocateResult {
  std::vector<Detection> detections;  // the brightest first
  Image model;                        // of the sources, without background
  Image background;
  double noise_variance = 0;  // of a typical pixel without sources
  double profile_error = 0;
  Index tiles = 0;
  Index masked_pixels = 0;                   // known, but left out by mask or error map
  std::vector<std::size_t> bad_pixels = {};  // rejected: positions in the image's `pixels`
  std::vector<std::string> warnings = {};
  std::vector<WidthNoise> width_noise = {};  // the narrowest first; empty: independent pixels
};

}  // namespace ardent
