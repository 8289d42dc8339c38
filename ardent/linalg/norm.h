// ‖v‖ where squares may overflow or underflow. (Eigen 3.4's stableNorm() takes a copy for better
// aligned than it is: its own assertion says so.)
#pragma once

#include <cmath>

#include "ardent/base/types.h"

namespace ardent {

/// A Vector and no view of an array: a sum begins where memory is aligned, and only a vector of
/// Eigen's own is aligned alike in every run.
inline double safe_norm(const Vector& v) {
  const double plain = v.norm();
  if ((plain > 1e-140 && plain < 1e150) || std::isnan(plain)) return plain;
  const double largest = v.lpNorm<Eigen::Infinity>();
  return largest > 0 && std::isfinite(largest) ? largest * (v / largest).norm() : largest;
}

}  // namespace ardent
