// The ball around the dual optimum that the static tests start from.
#pragma once

#include "ardent/inference/coding/screening/screen.h"

namespace ardent {

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
