// Stacks of images along z, as microscopes take them, and sources in them.
//
// Voxel (x, y, z) has its centre at whole numbers from 1 on. A source's share of it (paper 001,
// equation 56) is ΔE(x − x₀)ΔE(y − y₀) with σ_xy times ΔE(z − z₀) with σ_z, in voxels.
#pragma once

#include <string>
#include <vector>

#include "ardent/base/types.h"

namespace ardent {

struct Stack {
  Index width = 0;
  Index height = 0;
  Index depth = 0;
  std::vector<double> voxels;            // x fastest, then y, then z; NaN: missing
  std::vector<std::string> header = {};  // as of an image

  Index size() const { return width * height * depth; }
};

Stack blank_stack(Index width, Index height, Index depth);

/// A point source in three dimensions.
struct Bead {
  double x = 0, y = 0, z = 0;
  double sigma_xy = 1, sigma_z = 2;  // > 0
  double flux = 1;
};

/// Adds the bead's light to the voxels.
void add_bead(const Bead& bead, Stack& stack);
/// ‖ΔE ΔE ΔE‖₂ of the bead over the voxels of the stack.
double bead_length(const Bead& bead, const Stack& stack);

}  // namespace ardent
