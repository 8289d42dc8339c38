// erf(x) = x + x p(x²) below 1. erfc(x) = exp(−x²) g(t)/(1 + 2x) above ½: t = (x − 4)/(x + 4) makes
// of the half line an interval, on which g is smooth. p and g are minimax polynomials of degrees 12
// and 22, their relative errors below 2⁻⁵⁴.
#include <bit>
#include <cmath>
#include <cstdint>

#include "ardent/base/elementary.h"

namespace ardent::elementary {
namespace {

/// For |x| < 1.
double small_erf(double x) {
  constexpr double c[] = {0.1283791670955126,      -0.3761263890318375,     0.11283791670954885,
                          -0.026866170645077875,   0.005223977624828431,    -0.0008548326981425542,
                          0.0001205533113295582,   -1.4925595772180906e-05, 1.64610084778027e-06,
                          -1.6350396222864617e-07, 1.466032872274226e-08,   -1.137495573607015e-09,
                          5.960685338520971e-11};
  return multiply_add(x, polynomial(c, x * x), x);
}

/// For x >= ½.
double large_erfc(double x) {
  constexpr double kMiddle = 1.2329951186255526;
  constexpr double c[] = {-0.1396211168405625,     0.015379652102619858,    0.06809705425468875,
                          -0.10103906603631138,    0.0937328349985227,      -0.06633036581204703,
                          0.03716751553400218,     -0.016197734059959973,   0.005031970016534795,
                          -0.0007577732724239647,  -0.00019925695361869424, 0.00015062160116010112,
                          -2.4398101174734612e-05, -1.1221816497168594e-05, 5.706596431335655e-06,
                          2.9344127138534834e-07,  -8.196530578313848e-07,  7.500134502415785e-08,
                          1.03371550962101e-07,    -1.8109230668641698e-08, -9.69131513651584e-09,
                          1.8769449670004114e-09};
  if (x > 27.5) return 0;  // below half of the smallest subnormal number
  // x² = square + lost exactly, from a part of x whose square is exact.
  const double head = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & ~0x7ffffffull);
  const double tail = x - head;
  const double square = x * x;
  const double lost = ((head * head - square) + 2 * head * tail) + tail * tail;
  const double t = (x - 4) / (x + 4);
  const double g = multiply_add(t, polynomial(c, t), kMiddle) / multiply_add(2, x, 1);
  return multiply_add(-lost, g, g) * exp(-square);
}

}  // namespace

double erf(double x) {
  const double size = std::abs(x);
  if (size < 1) return small_erf(x);
  return std::copysign(1 - large_erfc(size), x);
}

double erfc(double x) {
  if (std::abs(x) < 0.5) return 1 - small_erf(x);
  return x > 0 ? large_erfc(x) : 2 - large_erfc(-x);
}

}  // namespace ardent::elementary
