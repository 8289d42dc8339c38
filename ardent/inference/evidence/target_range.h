// How large a regression target may be. Engines work in standard units, where nothing overflows,
// but noise variance, covariance and precisions are squares in the caller's units.
#pragma once

#include <span>

#include "ardent/base/types.h"

namespace ardent {

/// The largest |t| of a Gaussian target; below, the smallest that the largest may be unless all are
/// 0. A deviation of 1e-13 of it still has a square that is far from a double's limits.
inline constexpr double kLargestTarget = 1e120;
inline constexpr double kSmallestTarget = 1e-120;

/// InputError unless a Gaussian target with this largest |t| lies within those limits; it says what
/// to divide by.
void check_target_range(double largest);

/// InputError where a weight's unit, deviation/rms of the column, has a square that is no double:
/// the weight's variance could not be written down. Classes have the deviation 1.
void check_weight_units(double target_deviation, const Vector& column_rms,
                        std::span<const Index> columns);

}  // namespace ardent
