// exp(−δ d) of many distances at once: where most of a sweep's time goes.
//
// The compiler turns this loop into vector code without calls or divisions, about twice as fast as
// Eigen's exponential, which divides. exp(x) = 2^n · Σ_{k≤11} r^k/k!, r = x − n log 2: the relative
// error is below 2e-14. Values under exp(−708) = 3e-308 come out as that.
#pragma once

#include <bit>
#include <cstdint>

#include "ardent/base/types.h"

namespace ardent::masks {

/// For −708 <= x <= 0.
inline double exp_of_nonpositive(double x) {
  constexpr double kLog2e = 1.4426950408889634074;
  constexpr double kLog2High = 6.93147180369123816490e-01, kLog2Low = 1.90821492927058770002e-10;
  // Adding it rounds to a whole number, which then stands in the lowest bits of the sum.
  constexpr double kShift = 0x1.8p52;
  const double shifted = x * kLog2e + kShift;
  const double n = shifted - kShift;
  const double r = (x - n * kLog2High) - n * kLog2Low;
  double p = 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1;
  p = p * r + 1;
  const auto power = (std::bit_cast<std::uint64_t>(shifted) << 52) + (std::uint64_t{1023} << 52);
  return p * std::bit_cast<double>(power);
}

/// The same in single precision, for −87 <= x <= 0: Taylor up to r⁶, relative error below 2e-7.
inline float exp_of_nonpositive(float x) {
  constexpr float kLog2e = 1.44269504f, kLog2High = 0.693359375f, kLog2Low = -2.12194440e-4f;
  constexpr float kShift = 0x1.8p23f;
  const float shifted = x * kLog2e + kShift;
  const float n = shifted - kShift;
  const float r = (x - n * kLog2High) - n * kLog2Low;
  float p = 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = p * r + 1;
  p = p * r + 1;
  const std::uint32_t power = (std::bit_cast<std::uint32_t>(shifted) << 23) + (127u << 23);
  return p * std::bit_cast<float>(power);
}

inline constexpr double smallest_exponent(double) {
  return -708;
}
inline constexpr float smallest_exponent(float) {
  return -87;
}

/// out = exp(−δ d); d, δ >= 0. `d` may be an expression; all of one precision.
template <class Scalar, class Distances, class Out>
void kernel_values(Scalar delta, const Distances& d, Out&& out) {
  // Clamped in a pass of its own: a comparison inside the loop would keep it from being vectorised.
  out = (-delta * d.array()).max(smallest_exponent(delta));
  Scalar* value = out.data();
  const Index count = out.size();
  for (Index i = 0; i < count; ++i) value[i] = exp_of_nonpositive(value[i]);
}

}  // namespace ardent::masks
