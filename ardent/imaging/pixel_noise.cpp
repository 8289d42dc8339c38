#include "ardent/imaging/pixel_noise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/error.h"
#include "ardent/imaging/background.h"
#include "ardent/imaging/median.h"

namespace ardent {
namespace {

/// The base's typical value; the base itself only where it differs between pixels.
PixelNoise noise_with(Image base, const Pixels& image, double gain) {
  PixelNoise noise{typical_variance(base, image), {}, gain};
  const auto [low, high] = std::minmax_element(base.pixels.begin(), base.pixels.end());
  if (*low != *high) noise.base = std::move(base);
  return noise;
}

Image squared(Image image) {
  for (double& value : image.pixels) value *= value;
  return image;
}

Image read_and_sky(Image background, double gain, double read_noise) {
  const double read = read_noise / gain;
  for (double& value : background.pixels) value = read * read + std::max(0.0, value) / gain;
  return background;
}

/// Sources would be fitted to the rounding of bright pixels without end.
void check_above_rounding(double variance, const Pixels& image) {
  constexpr double kLeastRatio = 1e-9;  // noise over the largest pixel
  double largest = 0;
  visit_bands(image, [&](std::size_t, std::span<const double> some) {
    for (const double pixel : some) {
      if (std::isfinite(pixel)) largest = std::max(largest, std::abs(pixel));
    }
  });
  if (!(variance > 0) || std::sqrt(variance) >= kLeastRatio * largest) return;
  throw InputError(fmt::format(
      "a noise variance of {:g} is next to nothing for pixels of up to {:g}, a billion times the "
      "noise: give it in the squared units of the image, or mask those pixels",
      variance, largest));
}

/// Around the typical sky, whose photons are in the variance.
Image uneven_sky(Image background, double gain, double variance) {
  constexpr double kLeast = 0.05;  // of the variance: what no photons make
  const double middle = median(background.pixels);
  for (double& value : background.pixels) {
    value = std::max(kLeast * variance, variance + (value - middle) / gain);
  }
  return background;
}

}  // namespace

double typical_variance(const Image& base, const Pixels& image) {
  std::vector<double> values;
  visit_bands(image, [&](std::size_t first, std::span<const double> some) {
    for (std::size_t k = 0; k < some.size(); ++k) {
      if (std::isfinite(some[k])) values.push_back(base.pixels[first + k]);
    }
  });
  return values.empty() ? 0 : median(std::move(values));
}

double PixelNoise::at(std::size_t p, double model) const {
  double sum = base_at(p);
  if (gain > 0) sum += std::max(0.0, model) / gain;
  const double error = profile_error * model;
  return sum + error * error;
}

Image weights_of(const Image& model, const PixelNoise& noise) {
  Image weights = model;
  for (std::size_t p = 0; p < weights.pixels.size(); ++p) {
    weights.pixels[p] = noise.variance / noise.at(p, model.pixels[p]);
  }
  return weights;
}

PixelNoise estimate_noise(const Pixels& sky_free, const Pixels& background,
                          const NoiseKnowledge& known) {
  PixelNoise noise;
  if (known.error_map) {
    noise = noise_with(squared(*known.error_map), sky_free, known.gain);
  } else if (known.gain > 0 && known.read_noise >= 0) {
    noise = noise_with(read_and_sky(background.cut(background.all()), known.gain, known.read_noise),
                       sky_free, known.gain);
  } else {
    noise.variance = known.variance > 0 ? known.variance : estimate_noise_variance(sky_free);
    noise.gain = known.gain;
    if (known.gain > 0 && noise.variance > 0) {
      noise = noise_with(uneven_sky(background.cut(background.all()), known.gain, noise.variance),
                         sky_free, known.gain);
    }
  }
  check_above_rounding(noise.variance, sky_free);
  if (noise.variance > 0) return noise;
  throw InputError(fmt::format(
      "the noise of an image of {} cannot be estimated from it (it is too small, or its pixels are "
      "all alike): give its variance as noise",
      size_text(sky_free.empty())));
}

}  // namespace ardent
