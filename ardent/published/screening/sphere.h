// Sphere test (paper, eq. 40): reject i iff |φ_iᵀc| + R d_i < w_i − ε_i.
#pragma once

#include "ardent/published/screening/ball.h"

namespace ardent {

std::vector<Index> sphere_test(const LassoProblem& problem, const DualBall& ball);

}  // namespace ardent
