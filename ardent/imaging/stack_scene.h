// Simulated stacks of beads with a known truth: scene.h in three dimensions.
//
// Beads lie uniformly at least `margin` voxels from the border across and one plane along z, widths
// are uniform in their ranges, amplitudes uniform in [0.5, 1.5] on PSFs of unit length, and the SNR
// is that of scene.h.
#pragma once

#include <cstdint>
#include <vector>

#include "ardent/imaging/scene.h"
#include "ardent/imaging/stack.h"

namespace ardent {

struct StackSceneOptions {
  Index beads = 4;                              // >= 1
  Index width = 16, height = 16, depth = 12;    // >= 8, 8 and 3
  double sigma_low = SceneOptions{}.sigma_low;  // of σ_xy: 0 < low <= high
  double sigma_high = SceneOptions{}.sigma_high;
  double sigma_z_low = 2, sigma_z_high = 2;  // of σ_z
  double snr = SceneOptions{}.snr;           // dB, over all voxels; not used where noise is given
  double noise = SceneOptions{}.noise;       // >= 0: variance; below 0: from the SNR
  double background = SceneOptions{}.background;  // added to every voxel
  double margin = SceneOptions{}.margin;          // >= 0
  std::uint64_t seed = 1;
};

/// Throws InputError naming field, rule and value.
void validate(const StackSceneOptions& options);

struct StackScene {
  Stack stack;  // with noise and background
  Stack clean;  // neither noise nor background
  std::vector<Bead> truth;
  double noise_variance = 0;
};

StackScene make_stack_scene(const StackSceneOptions& options);

}  // namespace ardent
