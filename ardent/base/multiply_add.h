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

// Inlined by force: a call would pass the coefficients through memory, which costs exp a half.
template <int n, int... k>
[[gnu::always_inline]] inline double sum_of_pairs(const double (&c)[n], double x,
                                                  std::integer_sequence<int, k...>) {
  if constexpr (n == 1) {
    return c[0];
  } else if constexpr (n % 2 == 0) {
    const double pairs[] = {multiply_add(c[2 * k + 1], x, c[2 * k])...};
    return sum_of_pairs(pairs, x * x, std::make_integer_sequence<int, n / 4>{});
  } else {
    const double pairs[] = {multiply_add(c[2 * k + 1], x, c[2 * k])..., c[n - 1]};
    return sum_of_pairs(pairs, x * x, std::make_integer_sequence<int, (n + 1) / 4>{});
  }
}

/// c[0] + c[1] x + …, neighbours first and then pairs of neighbours (Estrin): less to wait for than
/// Horner's rule, which is one chain.
template <int n>
[[gnu::always_inline]] inline double polynomial(const double (&c)[n], double x) {
  return sum_of_pairs(c, x, std::make_integer_sequence<int, n / 2>{});
}

}  // namespace ardent
