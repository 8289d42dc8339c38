#include "ardent/imaging/scene.h"

#include <fmt/format.h>

#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/base/random.h"

namespace ardent {
void validate(const SceneOptions& options) {
  constexpr Index kMost = 32768;
  validate_fields(options);
  require(options.width >= 8 && options.width <= kMost, "width", "8 to 32768", options.width);
  require(options.height >= 8 && options.height <= kMost, "height", "8 to 32768", options.height);
  const auto shorter = static_cast<double>(std::min(options.width, options.height));
  require(2 * options.margin <= shorter - 1, "margin", "less than half of the image",
          options.margin);
}

Scene make_scene(const SceneOptions& options) {
  validate(options);
  Random random(options.seed);
  Scene scene;
  scene.clean = blank_image(options.width, options.height);
  for (Index k = 0; k < options.sources; ++k) {
    Source source;
    source.x =
        random.uniform(1 + options.margin, static_cast<double>(options.width) - options.margin);
    source.y =
        random.uniform(1 + options.margin, static_cast<double>(options.height) - options.margin);
    source.sigma = random.uniform(options.sigma_low, options.sigma_high);
    const double amplitude = random.uniform(0.5, 1.5);
    source.flux =
        amplitude / psf_length(source.x, source.y, source.sigma, options.width, options.height);
    add_source(source, scene.clean);
    scene.truth.push_back(source);
  }
  double power = 0;
  for (const double value : scene.clean.pixels) power += value * value;
  power /= static_cast<double>(scene.clean.size());
  scene.noise_variance =
      options.noise >= 0 ? options.noise : power / elementary::power(10.0, options.snr / 10);
  scene.image = scene.clean;
  const double sd = std::sqrt(scene.noise_variance);
  for (double& value : scene.image.pixels) value += options.background + sd * random.normal();
  return scene;
}

}  // namespace ardent
