// Beads off the grid: least squares over places and fluxes together, widths as they are.
//
// Gauss–Newton with Levenberg–Marquardt damping over (x, y, z, flux) of every bead; fluxes ≥ 0,
// places within `reach` of the start. Dense: voxels × 4 beads numbers.
#pragma once

#include <vector>

#include "ardent/imaging/stack.h"

namespace ardent {

struct BeadFit {
  std::vector<Bead> beads;
  double square_sum = 0;  // Σ (value − model)²
  Matrix hessian;         // JᵀJ of (x, y, z, flux), bead by bead
};

BeadFit fit_beads(const Stack& stack, std::vector<Bead> start, double reach = 2);

}  // namespace ardent
