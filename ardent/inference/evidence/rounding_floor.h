// When an engine's steps have become rounding.
#pragma once

#include <limits>

namespace ardent {

/// Steps shrink until they are rounding, which may be more than the tolerance: those of modes that
/// Newton's method ends a little beside.
struct RoundingFloor {
  /// True once steps below 1e-3 have not become smaller for 25 stages.
  bool reached(double change) {
    if (!(change < kSmall)) return false;
    if (change < kSmaller * least) {
      least = change;
      stages = 0;
    }
    return ++stages > kPatience;
  }

  double least = std::numeric_limits<double>::infinity();
  double stages = 0;  // since then

 private:
  static constexpr double kSmall = 1e-3, kSmaller = 0.9;
  static constexpr double kPatience = 25;
};

}  // namespace ardent
