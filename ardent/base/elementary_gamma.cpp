// log Γ: a polynomial on [1, 2], where it has its two zeros; Γ(x + 1) = x Γ(x) down to there below
// 10; Stirling's series above, eight terms, the first left out below 10⁻¹⁶.
#include <cmath>
#include <limits>

#include "ardent/base/elementary.h"

namespace ardent::elementary {
namespace {

/// log Γ(1 + y) for 0 <= y <= 1: y (y − 1) times the minimax polynomial of degree 20 around ½.
double between_one_and_two(double y) {
  constexpr double kMiddle = 0.4831289505409809;
  constexpr double c[] = {-0.14595989591430594,    0.06291140107456389,     -0.031308487501054146,
                          0.016797098631340414,    -0.009425622444767539,   0.005446457835732345,
                          -0.003212074222608581,   0.001922916401063933,    -0.0011644113423534682,
                          0.0007115177488112238,   -0.0004380355177095108,  0.0002713257307080789,
                          -0.00016856959467921741, 0.00010528763401680063,  -6.794539502348877e-05,
                          4.3257205274194516e-05,  -2.1471540761646035e-05, 1.2753885361087427e-05,
                          -1.8541436565392043e-05, 1.2485776432687788e-05};
  const double z = y - 0.5;
  return y * (y - 1) * multiply_add(z, polynomial(c, z), kMiddle);
}

/// For x >= 10.
double stirling(double x) {
  constexpr double kHalfLog2Pi = 0.91893853320467274178;
  constexpr double c[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                          1.0 / 1188, -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400};
  const double inverse = 1 / x;
  const double series = inverse * polynomial(c, inverse * inverse);
  return multiply_add(x - 0.5, log(x) - 1, kHalfLog2Pi - 0.5 + series);
}

}  // namespace

double log_gamma(double x) {
  if (!(x > 0)) {
    return x == 0 ? std::numeric_limits<double>::infinity()
                  : std::numeric_limits<double>::quiet_NaN();
  }
  if (x == std::numeric_limits<double>::infinity()) return x;
  if (x >= 10) return stirling(x);
  if (x < 1) return between_one_and_two(x) - log(x);
  double product = 1, y = x - 1;
  for (; y > 1; --y) product *= y;
  return between_one_and_two(y) + log(product);
}

}  // namespace ardent::elementary
