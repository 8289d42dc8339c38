// Point sources in a stack: coded over a grid in three dimensions, merged, refined, and kept where
// the data want them.
//
//   1. background: the median after clipping, or none; noise: the mean over planes of what their
//      second differences say (background.h)
//   2. code: reweighted ℓ1 over StackDictionary, θ ≥ 0, λ = factor·noise variance
//   3. merge: atoms nearer than `merge` voxels across and as many σ_z/σ_xy times that along z
//   4. refine: Gauss–Newton with damping over (x, y, z, flux) of all beads together; widths stay
//      what the code says
//   5. keep: of a bead that is taken out, χ² rises by about (flux/sd)²; by BIC it stays if that is
//      above 4 ln N, its four parameters' price. The least certain goes first, and the others are
//      fitted again.
// The stack is solved as one: it suits up to a few hundred thousand voxels.
#pragma once

#include "ardent/imaging/locate_options.h"
#include "ardent/imaging/stack_dictionary.h"

namespace ardent {

struct StackOptions {
  double sigma_low = LocateOptions{}.sigma_low;  // of σ_xy, voxels: 0 < low <= high
  double sigma_high = LocateOptions{}.sigma_high;
  double sigma_z_low = 2, sigma_z_high = 2;                   // of σ_z
  BackgroundKind background = LocateOptions{}.background;     // not a map
  double noise = LocateOptions{}.noise;                       // 0: estimated
  double lambda_factor = LocateOptions{}.tile.lambda_factor;  // > 0
  double merge = LocateOptions{}.tile.merge;                  // >= 0: voxels
};

/// Throws InputError naming field, rule and value.
void validate(const StackOptions& options);

struct BeadDetection {
  Bead bead;
  double flux_sd = 0;
  double probability = 0;  // of presence, by BIC
  double snr = 0;          // flux/flux_sd
};

struct StackResult {
  std::vector<BeadDetection> detections;  // the brightest first
  Stack model;                            // of the beads, without background
  double background = 0;
  double noise_variance = 0;
};

/// Missing voxels are taken as background.
StackResult locate_stack(const Stack& stack, const StackOptions& options = {});

}  // namespace ardent
