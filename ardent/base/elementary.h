// Elementary functions of our own: the same bits on every machine that runs the same build.
//
// The C library chooses among variants of exp, log, … by the CPU, and changes them from version to
// version; Eigen's array.exp() computes the ends of an array by the C library and the middle
// otherwise, and where the middle begins depends on the address. Results that we promise are
// therefore computed by these, which need nothing but +, −, ·, /, √ and fused multiply-add.
// A test (no_libm) refuses the C library's in our libraries.
//
// Errors are in units in the last place, the largest ever seen by tests/base/elementary_test.cpp
// rounded up. Zeros, infinities, NaN and subnormal results are as C requires.
#pragma once

#include <cmath>

#include "ardent/base/multiply_add.h"
#include "ardent/base/types.h"

namespace ardent::elementary {

double exp(double x);    // 1 ulp
double expm1(double x);  // exp(x) − 1: 2 ulp
double log(double x);    // 1 ulp
double log1p(double x);  // log(1 + x): 1 ulp
double tanh(double x);   // 3 ulp
double erf(double x);    // 2 ulp
double erfc(double x);   // 1 − erf(x): 6 ulp

/// log Γ(x) for x > 0: 6 ulp.
double log_gamma(double x);

/// x^y for x > 0: a relative error of (1 + |y log x|) · 2⁻⁵².
double power(double x, double y);

/// √(x² + y² + z²), 2 ulp; the squares must neither overflow nor underflow.
inline double length(double x, double y, double z = 0) {
  return std::sqrt(multiply_add(x, x, multiply_add(y, y, z * z)));
}

/// The same bits as exp, many at once: a third of the time.
void exp_in_place(double* values, Index count);

/// The same bits as log1p, many at once, for values from 0 to 1.
void log1p_up_to_one_in_place(double* values, Index count);

template <class Dense>
void exp_in_place(Eigen::PlainObjectBase<Dense>& values) {
  exp_in_place(values.data(), values.size());
}

/// Σ log x, in the order of the elements.
template <class Expression>
double sum_of_logs(const Eigen::DenseBase<Expression>& values) {
  double sum = 0;
  for (Index j = 0; j < values.cols(); ++j) {
    for (Index i = 0; i < values.rows(); ++i) sum += log(values.derived().coeff(i, j));
  }
  return sum;
}

}  // namespace ardent::elementary
