// Paired arithmetic in exported float code: a number is the unevaluated sum of two floats, hi + lo,
// with some 46 bits.
//
// Kernels that overlap have weights of both signs that are far larger than their sum, and what
// rounding leaves of that sum in float alone is too coarse. Sums and products are Knuth's and
// Dekker's exact ones (Dekker, Numerische Mathematik 18, 1971), the product by one fused
// multiplication and addition where the processor has it; they need float operations that round as
// IEEE 754 says, and the code refuses -ffast-math.
#pragma once

#include "ardent/model/export/c_source.h"
#include "ardent/model/export/export_options.h"

namespace ardent {

/// The type @name_pair and @name_plus, @name_minus, @name_times, @name_inverse, @name_root of it.
void add_c_pairs(CSource& source);
/// @name_pair_exp of x <= 0, to a relative error of 1e-12:
///   exp(x) = 2^(n/N) exp(s)^(2^m),  n = round(N x/log 2),  s = (x − n/N log 2)/2^m,
/// with 2^(j/N), j < N, from a table of pairs and as many squarings m as make |s| less than 0.022.
/// @name_exp is that of one float.
void add_c_pair_exp(CSource& source, const ExportOptions& options);
/// @name_pair_sigmoid(f) = 1/(1 + exp(−f)); needs @name_pair_exp.
void add_c_pair_sigmoid(CSource& source);

}  // namespace ardent
