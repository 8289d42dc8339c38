// How often the rows of a target count.
#pragma once

#include "ardent/inference/engine.h"

namespace ardent {

/// Of each row: its weight, or 1 where the target has none.
inline Vector row_counts(const Target& target) {
  return target.weights.size() > 0 ? target.weights : Vector(Vector::Ones(target.t.size()));
}

/// Of all rows together.
inline double row_count(const Target& target) {
  return target.weights.size() > 0 ? target.weights.sum() : static_cast<double>(target.t.size());
}

}  // namespace ardent
