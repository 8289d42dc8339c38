#include "ardent/imaging/stack_scene.h"

#include <fmt/format.h>

#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/base/random.h"

namespace ardent {
namespace {

void require_widths(const char* field, double low, double high) {
  require(low > 0 && std::isfinite(low), field, "> 0 and finite", low);
  require(high >= low && std::isfinite(high), field, "low:high with low <= high", high);
}

}  // namespace

void validate(const StackSceneOptions& options) {
  constexpr Index kMost = 4096;
  require(options.beads >= 1, "sources", ">= 1", options.beads);
  require(options.width >= 8 && options.width <= kMost, "width", "8 to 4096", options.width);
  require(options.height >= 8 && options.height <= kMost, "height", "8 to 4096", options.height);
  require(options.depth >= 3 && options.depth <= kMost, "depth", "3 to 4096", options.depth);
  require_widths("sigma", options.sigma_low, options.sigma_high);
  require_widths("sigma-z", options.sigma_z_low, options.sigma_z_high);
  require(std::isfinite(options.snr), "snr", "finite", options.snr);
  require(std::isfinite(options.noise), "noise", "finite", options.noise);
  require(std::isfinite(options.background), "background", "finite", options.background);
  const auto shorter = static_cast<double>(std::min(options.width, options.height));
  require(options.margin >= 0 && 2 * options.margin <= shorter - 1, "margin",
          ">= 0 and less than half of the image", options.margin);
}

StackScene make_stack_scene(const StackSceneOptions& options) {
  validate(options);
  Random random(options.seed);
  StackScene scene;
  scene.clean = blank_stack(options.width, options.height, options.depth);
  const auto within = [&](Index voxels, double margin) {
    return random.uniform(1 + margin, static_cast<double>(voxels) - margin);
  };
  for (Index k = 0; k < options.beads; ++k) {
    Bead bead;
    bead.x = within(options.width, options.margin);
    bead.y = within(options.height, options.margin);
    bead.z = within(options.depth, 1);
    bead.sigma_xy = random.uniform(options.sigma_low, options.sigma_high);
    bead.sigma_z = random.uniform(options.sigma_z_low, options.sigma_z_high);
    bead.flux = random.uniform(0.5, 1.5) / bead_length(bead, scene.clean);
    add_bead(bead, scene.clean);
    scene.truth.push_back(bead);
  }
  double power = 0;
  for (const double value : scene.clean.voxels) power += value * value;
  power /= static_cast<double>(scene.clean.size());
  scene.noise_variance =
      options.noise >= 0 ? options.noise : power / elementary::power(10.0, options.snr / 10);
  scene.stack = scene.clean;
  const double sd = std::sqrt(scene.noise_variance);
  for (double& value : scene.stack.voxels) value += options.background + sd * random.normal();
  return scene;
}

}  // namespace ardent
