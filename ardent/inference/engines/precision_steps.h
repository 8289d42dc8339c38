// What a stage says of the next precisions, and what it leaves to the next stage (strides.h has the
// rule).
#pragma once

#include <limits>

#include "ardent/base/types.h"

namespace ardent {

inline constexpr Index kFirstLongStage = 3;  // stages with the guarded update before

/// What the stages leave to the next one.
struct Strides {
  // Of each column: its last stride, negative where alpha fell; empty: no stage yet.
  Vector lengths;
  double longest = std::numeric_limits<double>::infinity();
  Index stages = 0;                                            // that have moved the precisions
  double evidence = -std::numeric_limits<double>::infinity();  // of the stage before
  Index columns = 0;                                           // of the stage before
};

/// New precisions, and what is known of them.
struct PrecisionUpdate {
  Vector alpha;                                              // of all weights but the bias
  double promise = std::numeric_limits<double>::infinity();  // nats; ∞: not known
  Strides strides = {};
};

}  // namespace ardent
