#include "ardent/imaging/scene.h"

#include <fmt/format.h>

#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/base/random.h"

namespace ardent {
namespace {

void check_side(const char* name, Index side, Index least, Index most) {
  require(side >= least && side <= most, name, fmt::format("{} to {}", least, most), side);
}

}  // namespace

void validate(const SceneOptions& options) {
  validate_fields(options);
  const bool stack = options.depth != 1;
  const Index most = stack ? 4096 : 32768;
  check_side("width", options.width, 8, most);
  check_side("height", options.height, 8, most);
  if (stack) check_side("depth", options.depth, 3, most);
  require(options.sigma_z_low > 0, "sigma-z", "> 0", options.sigma_z_low);
  require(options.sigma_z_high >= options.sigma_z_low && std::isfinite(options.sigma_z_high),
          "sigma-z", "low:high with low <= high", options.sigma_z_high);
  const auto shorter = static_cast<double>(std::min(options.width, options.height));
  require(2 * options.margin <= shorter - 1, "margin", "less than half of the image",
          options.margin);
}

Scene make_scene(const SceneOptions& options) {
  validate(options);
  Random random(options.seed);
  Scene scene;
  scene.clean = blank_image(options.width, options.height, options.depth);
  const bool stack = scene.clean.is_stack();
  const auto within = [&](Index pixels, double margin) {
    return random.uniform(1 + margin, static_cast<double>(pixels) - margin);
  };
  for (Index k = 0; k < options.sources; ++k) {
    Source source;
    source.x = within(options.width, options.margin);
    source.y = within(options.height, options.margin);
    if (stack) source.z = within(options.depth, 1);
    source.sigma = random.uniform(options.sigma_low, options.sigma_high);
    if (stack) source.sigma_z = random.uniform(options.sigma_z_low, options.sigma_z_high);
    source.flux = random.uniform(0.5, 1.5) / psf_length(source, scene.clean);
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
