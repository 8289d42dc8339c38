// MAP-stage of large problems: truncated Newton with conjugate gradients.
//
// Each step solves H p = −∇L roughly by CG (Jacobi preconditioner diag H, relative residual 0.1,
// improving as the gradient falls), then minimises L along p by Newton's method in one dimension on
// the cached Phi w and Phi p, O(N) per iteration. Converged when ‖∇L‖ in the preconditioner's norm
// has fallen below `tolerance` times its value at w = 0, but not before one step:
// a start from a neighbouring mode may be within the tolerance already, and its small weights would
// stay those of the old precisions for ever.
#pragma once

#include "ardent/inference/evidence/map_objective.h"

namespace ardent {

struct NewtonCgOptions {
  double tolerance = 1e-3;  // > 0
  Index max_steps = 30;     // >= 1
  Index max_cg = 50;        // >= 1: products per step
};

struct NewtonCgReport {
  Index steps = 0;
  Index products = 0;  // with H
};

/// Moves `point`, evaluated, to the mode for `alpha`; it stays evaluated.
NewtonCgReport newton_cg(const MapObjective& objective, const Vector& alpha, MapPoint& point,
                         const NewtonCgOptions& options = {});

}  // namespace ardent
