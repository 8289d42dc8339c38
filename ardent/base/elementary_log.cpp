// log(2ᵏ (1 + f)) = k log 2 + log(1 + f), √½ <= 1 + f < √2;
// log(1 + f) = 2 artanh s = f − f²/2 + s (f²/2 + R),  s = f/(2 + f),  R = s² p(s²),
// p the minimax polynomial of degree 6: its share of the error is below 2⁻⁵⁸.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "ardent/base/elementary.h"

namespace ardent::elementary {
namespace {

constexpr double kLog2High = 0x1.62e42feep-1, kLog2Low = 0x1.a39ef35793c76p-33;
constexpr std::uint64_t kOne = std::uint64_t{1} << 52;

struct Split {
  double k, f;  // x = 2ᵏ (1 + f)
};

/// For a positive, normal x.
Split split(double x) {
  constexpr std::uint64_t kRootOfHalf = 0x3fe6a09e667f3bcd;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t above = bits - kRootOfHalf;
  const auto k = static_cast<std::int64_t>(above) >> 52;
  const double m = std::bit_cast<double>(bits - (above & ~(kOne - 1)));
  return {static_cast<double>(k), m - 1};
}

/// log(2ᵏ (1 + f)) + small
[[gnu::always_inline]] inline double log_of(const Split& x, double small) {
  constexpr double c[] = {0.6666666666666735,  0.3999999999940813, 0.2857142874401735,
                          0.22222198389885772, 0.1818357463092002, 0.1531376805726447,
                          0.14798956055497045};
  const double s = x.f / (2 + x.f);
  const double half_square = 0.5 * x.f * x.f;
  const double z = s * s;
  const double tail = multiply_add(z, polynomial(c, z), half_square);
  const double rest = multiply_add(s, tail, multiply_add(x.k, kLog2Low, small));
  return multiply_add(x.k, kLog2High, x.f - (half_square - rest));
}

}  // namespace

double log(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  if (bits - kOne >= 0x7fe0000000000000) [[unlikely]] {  // not positive, normal and finite
    if (x == 0) return -std::numeric_limits<double>::infinity();
    if (!(x > 0)) return std::numeric_limits<double>::quiet_NaN();
    if (x > 1) return x;
    Split scaled = split(x * 0x1p54);
    scaled.k -= 54;
    return log_of(scaled, 0);
  }
  return log_of(split(x), 0);
}

double log1p(double x) {
  if (!(x > -1 && x < std::numeric_limits<double>::infinity())) [[unlikely]] {
    return x == -1 ? -std::numeric_limits<double>::infinity() : x > 0 ? x : std::sqrt(x);
  }
  if (std::abs(x) < 0x1p-54) return x;
  const double u = 1 + x;
  Split of_u = split(u);
  if (of_u.k == 0) return log_of({0, x}, 0);
  // What rounding 1 + x lost: log(1 + x) = log u + lost/u.
  const double lost = x > 1 ? 1 - (u - x) : x - (u - 1);
  return log_of(of_u, lost / u);
}

void log1p_up_to_one_in_place(double* values, Index count) {
  constexpr double kRootOfTwo = 0x1.6a09e667f3bcdp0;  // from here on split() takes a 2 out
  for (Index i = 0; i < count; ++i) {
    const double x = values[i], u = 1 + x, lost = x - (u - 1);
    const bool two = u >= kRootOfTwo;
    const Split of_u{two ? 1.0 : 0.0, two ? 0.5 * u - 1 : x};
    values[i] = log_of(of_u, two ? lost / u : 0);
  }
}

double power(double x, double y) {
  return y == 1 ? x : exp(y * log(x));
}

}  // namespace ardent::elementary
