// Noise that is not white, and skies that are not even.
#pragma once

#include <cmath>

#include "ardent/base/random.h"
#include "ardent/imaging/image.h"

namespace ardent {

inline Image white_noise(Index width, Index height, std::uint64_t seed, Index depth = 1) {
  Image image = blank_image(width, height, depth);
  Random random(seed);
  for (double& value : image.pixels) value = random.normal();
  return image;
}

/// Weight of the pixel k places away along one axis, of noise that was resampled twice by half a
/// pixel.
inline double resampling(Index k) {
  return k == 0 ? 0.5 : std::abs(k) == 1 ? 0.25 : 0;
}

/// White noise after that resampling, along both axes, of variance 1.
inline Image resampled_noise(Index width, Index height, std::uint64_t seed) {
  const Image white = white_noise(width + 2, height + 2, seed);
  Image image = blank_image(width, height);
  const double scale = 1 / (0.375);  // Σ weights² = 3/8 along each axis
  for (Index y = 1; y <= height; ++y) {
    for (Index x = 1; x <= width; ++x) {
      double sum = 0;
      for (Index j = -1; j <= 1; ++j) {
        for (Index i = -1; i <= 1; ++i) {
          sum += resampling(i) * resampling(j) * white.at(x + 1 + i, y + 1 + j);
        }
      }
      image.at(x, y) = scale * sum;
    }
  }
  return image;
}

/// Half of the variance is that of independent pixels, half of resampled ones: frames summed.
inline Image summed_noise(Index width, Index height, std::uint64_t seed) {
  Image image = resampled_noise(width, height, seed);
  const Image white = white_noise(width, height, seed + 1000);
  for (std::size_t p = 0; p < image.pixels.size(); ++p) {
    image.pixels[p] = std::sqrt(0.5) * (image.pixels[p] + white.pixels[p]);
  }
  return image;
}

}  // namespace ardent
