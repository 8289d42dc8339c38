// a·b + c in the one way that this build has, whatever the optimiser sees around it.
#pragma once

#include <utility>

namespace ardent {

// Left to the compiler, contraction depends on what it inlines where. Machines with the instruction
// round once, in vector code and in scalar code; the others round twice, and cannot contract.
inline double multiply_add(double a, double b, double c) {
#ifdef __FP_FAST_FMA
  return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}

inline float multiply_add(float a, float b, float c) {
#ifdef __FP_FAST_FMAF
  return __builtin_fmaf(a, b, c);
#else
  return a * b + c;
#endif
}

/// c[0] + c[1] x + …, neighbours first and then pairs of neighbours (Estrin): less to wait for than
/// Horner's rule, which is one chain.
template <int n>
double polynomial(const double (&c)[n], double x) {
  if constexpr (n == 1) {
    return c[0];
  } else {
    return [&]<int... k>(std::integer_sequence<int, k...>) {
      const auto pair = [&](int i) { return multiply_add(c[i + 1], x, c[i]); };
      if constexpr (n % 2 == 0) {
        const double pairs[] = {pair(2 * k)...};
        return polynomial(pairs, x * x);
      } else {
        const double pairs[] = {pair(2 * k)..., c[n - 1]};
        return polynomial(pairs, x * x);
      }
    }
    (std::make_integer_sequence<int, n / 2>{});
  }
}

}  // namespace ardent
