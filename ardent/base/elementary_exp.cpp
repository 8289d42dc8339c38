// exp(x) = 2ⁿ exp(r), n = round(x/log 2), |r| <= log(2)/2;  exp(r) = 1 + r + r² q(r), q the minimax
// polynomial of degree 9: its share of the relative error is below 2⁻⁵⁶.
#include <bit>
#include <cmath>
#include <cstdint>

#include "ardent/base/elementary.h"

namespace ardent::elementary {
namespace {

constexpr double kLog2e = 0x1.71547652b82fep0;
// log 2 in two parts: the first has 32 bits, so that its product with any n is exact.
constexpr double kLog2High = 0x1.62e42feep-1, kLog2Low = 0x1.a39ef35793c76p-33;
// Adding it rounds to a whole number, which then stands in the lowest bits of the sum.
constexpr double kShift = 0x1.8p52;

[[gnu::always_inline]] inline double power_of_two(double shifted) {
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + 1023) << 52);
}

struct Reduced {
  double n, expm1;  // exp(x) = 2ⁿ (1 + expm1)
};

[[gnu::always_inline]] inline Reduced reduce(double x) {
  constexpr double c[] = {0.5000000000000011,    0.16666666666666408,    0.041666666666529455,
                          0.008333333333497533,  0.001388888894387061,   0.00019841269500998416,
                          2.480149280280906e-05, 2.7557590411339476e-06, 2.7630368086994796e-07,
                          2.4999078541378017e-08};
  const double n = multiply_add(x, kLog2e, kShift) - kShift;
  const double head = multiply_add(n, -kLog2High, x), tail = n * -kLog2Low;
  const double r = head + tail;
  return {n, head + multiply_add(r * r, polynomial(c, r), tail)};
}

// Without branches, so that the compiler makes vector code of a loop around it.
[[gnu::always_inline]] inline double exp_of(double x) {
  // At these ends the result is 0 and infinite already. NaN passes both comparisons.
  const double above = x < -746.0 ? -746.0 : x;
  const double inside = above > 710.0 ? 710.0 : above;
  const Reduced reduced = reduce(inside);
  // 2ⁿ in two factors: it may lie beyond the largest number, or below the smallest normal one.
  const double shifted_half = multiply_add(reduced.n, 0.5, kShift);
  const double rest = reduced.n - (shifted_half - kShift);
  return (1 + reduced.expm1) * power_of_two(shifted_half) * power_of_two(rest + kShift);
}

}  // namespace

double exp(double x) {
  return exp_of(x);
}

void exp_in_place(double* values, Index count) {
  for (Index i = 0; i < count; ++i) values[i] = exp_of(values[i]);
}

double expm1(double x) {
  if (x > 40) return exp_of(x);  // 1 is below half a unit in the last place
  if (x < -40) return -1;
  if (std::abs(x) < 0x1p-54) return x;
  const Reduced reduced = reduce(x);
  if (reduced.n == 0) return reduced.expm1;
  const double scale = power_of_two(reduced.n + kShift);
  return multiply_add(scale, reduced.expm1, scale - 1);
}

double tanh(double x) {
  const double size = std::abs(x);
  if (size < 0x1p-28) return x;
  if (size > 22) return std::copysign(1.0, x);
  const double e = expm1(2 * size);
  return std::copysign(size < 0.5 ? e / (e + 2) : 1 - 2 / (e + 2), x);
}

}  // namespace ardent::elementary
