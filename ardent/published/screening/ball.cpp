#include "ardent/published/screening/ball.h"

#include <algorithm>
#include <cmath>

#include "ardent/base/error.h"

namespace ardent {

double outward(const LassoProblem& problem, double product) {
  return problem.nonnegative ? product : std::abs(product);
}

Ball parse_ball(std::string_view name) {
  static constexpr std::string_view kBalls[] = {"paper", "half"};
  return static_cast<Ball>(place_of(name, kBalls, "ball"));
}

DualBall dual_ball(const LassoProblem& problem, Ball kind) {
  double largest = 1;  // of |ρ_i|/w_i, which may be 0 where w_i = ∞
  for (Index i = 0; i < problem.weights.size(); ++i) {
    largest = std::max(largest, outward(problem, problem.rho[i]) / problem.weights[i]);
  }
  DualBall ball;
  ball.signal_norm = problem.signal.norm();
  ball.feasible = 1 / largest;
  // (1 − s) from the quotient itself: no digits are lost where s is near 1.
  const double distance = (largest - 1) / largest * ball.signal_norm;
  const bool half = kind == Ball::half;
  ball.centre = half ? (1 + ball.feasible) / 2 : 1;
  ball.radius = half ? distance / 2 : distance;
  return ball;
}

}  // namespace ardent
