// exp(−δ d) of many distances at once: where most of a sweep's time goes.
#pragma once

#include <bit>
#include <cstdint>

#include "ardent/base/elementary.h"
#include "ardent/base/types.h"

namespace ardent::doubly_sparse {

inline void exp_of_nonpositive(double* values, Index count) {
  elementary::exp_in_place(values, count);
}

/// In single precision, for −87 <= x <= 0: 2^n · Σ_{k≤6} r^k/k!, r = x − n log 2; the relative
/// error is below 2e-7. The compiler turns a loop around it into vector code without calls or
/// divisions.
inline float exp_of_nonpositive(float x) {
  constexpr float kLog2e = 1.44269504f, kLog2High = 0.693359375f, kLog2Low = -2.12194440e-4f;
  // Adding it rounds to a whole number, which then stands in the lowest bits of the sum.
  constexpr float kShift = 0x1.8p23f;
  const float shifted = multiply_add(x, kLog2e, kShift);
  const float n = shifted - kShift;
  const float r = multiply_add(n, -kLog2Low, multiply_add(n, -kLog2High, x));
  float p = 1.0f / 720;
  p = multiply_add(p, r, 1.0f / 120);
  p = multiply_add(p, r, 1.0f / 24);
  p = multiply_add(p, r, 1.0f / 6);
  p = multiply_add(p, r, 0.5f);
  p = multiply_add(p, r, 1.0f);
  p = multiply_add(p, r, 1.0f);
  const std::uint32_t power = (std::bit_cast<std::uint32_t>(shifted) << 23) + (127u << 23);
  return p * std::bit_cast<float>(power);
}

inline void exp_of_nonpositive(float* values, Index count) {
  for (Index i = 0; i < count; ++i) values[i] = exp_of_nonpositive(values[i]);
}

// Where exp is the smallest normal number: subnormal ones slow every product.
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
  exp_of_nonpositive(out.data(), out.size());
}

}  // namespace ardent::doubly_sparse
