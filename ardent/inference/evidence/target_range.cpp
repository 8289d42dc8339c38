#include "ardent/inference/evidence/target_range.h"

#include <fmt/format.h>

#include "ardent/base/error.h"

namespace ardent {

void check_target_range(double largest) {
  if (largest == 0 || (largest >= kSmallestTarget && largest <= kLargestTarget)) return;
  throw InputError(fmt::format(
      "the target's largest absolute value is {:g}: it must be 0, or from {:g} to {:g}, since "
      "variances are its squares; divide the target by {:.0e}",
      largest, kSmallestTarget, kLargestTarget, largest));
}

void check_weight_units(double target_deviation, const Vector& column_rms,
                        std::span<const Index> columns) {
  // What is left to a double's limits is for the precisions, which engine.cpp bounds.
  constexpr double kLargest = 1e250;
  for (const Index k : columns) {
    const double unit = target_deviation / column_rms[k];
    if (unit * unit < kLargest && unit * unit > 1 / kLargest) continue;
    throw InputError(fmt::format(
        "column {} of the design has the root mean square {:g} and the target the deviation {:g}: "
        "the square of their ratio is beyond double precision; rescale one of them",
        k, column_rms[k], target_deviation));
  }
}

}  // namespace ardent
