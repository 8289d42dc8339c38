// The ball around the dual optimum that the static tests start from.
#pragma once

#include <string_view>

#include "ardent/inference/coding/gram_rows.h"
#include "ardent/inference/coding/lasso_problem.h"

namespace ardent {

/// Which ball around η̂:
///   paper  centre y, radius (1 − s)‖y‖                    (eq. 36)
///   half   centre (1 + s)y/2, radius (1 − s)‖y‖/2: inside the other; η̂ is in it because it is the
///          projection of y on a convex set that has s·y in it
enum class Ball { paper, half };
Ball parse_ball(std::string_view name);  // paper | half

struct DualBall {
  double feasible = 1;  // s; 1 means that θ = 0 solves the problem
  double centre = 1;    // c = centre·y
  double radius = 0;    // R
  double signal_norm = 0;
};

DualBall dual_ball(const LassoProblem& problem, Ball kind);

/// The larger of φ_iᵀc and, unless θ ≥ 0, −φ_iᵀc.
double outward(const LassoProblem& problem, double product);

}  // namespace ardent
