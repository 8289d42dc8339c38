// MAP-stage of large problems: truncated Newton with conjugate gradients.
//
// Each step solves H p = −∇L roughly by CG (Jacobi preconditioner diag H, relative residual 0.1,
// improving as the gradient falls), then minimises L along p by Newton's method in one dimension on
// the cached Phi w and Phi p, O(N) per iteration. Converged when ‖∇L‖ in the preconditioner's norm
// has fallen below `tolerance` times its value at w = 0, but not before one step:
// a start from a neighbouring mode may be within the tolerance already, and its small weights would
// stay those of the old precisions for ever.
#pragma once

#include <functional>

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

/// About the minimiser of the convex L(w + s p) over s ≥ 0: Newton steps inside a bracket of the
/// slope's sign change, until the slope has fallen to a tenth and L has fallen too. (On separable
/// data L is nearly flat far out, where a small slope alone says nothing; so steps also grow by no
/// more than a factor of 4.) 0 if there is no descent above rounding. `along`: the log-likelihood;
/// the penalty's part of L is s penalty_slope + ½ s² penalty_curvature.
double line_minimum(const std::function<LikelihoodAlong(double)>& along, double penalty_slope,
                    double penalty_curvature);

/// The relative residual of CG where the gradient's square norm is `size`, and `scale` at w = 0.
double newton_forcing(double size, double scale);

/// Moves `point`, evaluated, to the mode for `alpha`; it stays evaluated.
NewtonCgReport newton_cg(const MapObjective& objective, const Vector& alpha, MapPoint& point,
                         const NewtonCgOptions& options = {});

}  // namespace ardent
