// Dome test (paper, theorem 3.3): the ball cut by the constraint that cuts deepest,
//   i* = argmax (|φ_iᵀc| − w_i)/d_i,   n₁ = sgn(φ_i*ᵀc) φ_i*/d_i*,   ψ₁ = min(1, that maximum/R).
// Where no constraint reaches into the ball (ψ₁ ≤ −1) it is the sphere test.
#pragma once

#include "ardent/published/screening/ball.h"
#include "ardent/published/screening/region.h"

namespace ardent {

/// One halfspace n ᵀη ≤ h made of a constraint.
struct Plane {
  Index atom = -1;   // −1: none
  double depth = 0;  // nᵀc − h
  Vector products;   // Φᵀn
};

/// The constraint that cuts the ball deepest.
Plane deepest_plane(const LassoProblem& problem, const DualBall& ball, GramRows* rows);

/// ±φ_atom/d_atom as a plane.
Plane make_plane(const LassoProblem& problem, Index atom, double sign, double depth,
                 GramRows* rows);

/// Atoms whose product with the region reaches w_i − ε_i, and the atoms of the planes themselves.
std::vector<Index> reached(const LassoProblem& problem, const DualBall& ball, const Region& region,
                           const Plane& first, const Plane& second);

std::vector<Index> dome_test(const LassoProblem& problem, const DualBall& ball, GramRows* rows);

}  // namespace ardent
