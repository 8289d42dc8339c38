// Line search for the strong Wolfe conditions.
//
//   value(s) ≤ value(0) + c1 s slope(0)   and   |slope(s)| ≤ c2 |slope(0)|
//
// Nocedal and Wright, Numerical Optimization, 2nd edition, algorithms 3.5 (bracketing) and 3.6
// (zoom), with cubic interpolation kept inside the middle of the bracket.
#pragma once

#include <functional>

#include "ardent/base/types.h"

namespace ardent {

struct LinePoint {
  double step = 0;
  double value = 0;
  double slope = 0;
};

struct WolfeOptions {
  double c1 = 1e-4;            // 0 < c1 < c2
  double c2 = 0.9;             // c2 < 1
  Index max_evaluations = 30;  // >= 1
};

struct LineResult {
  LinePoint point;  // the best point seen; step 0 if no decrease was found
  Index evaluations = 0;
  bool satisfied = false;  // the strong Wolfe conditions hold at it
};

/// `along(step)` gives value and slope; `start` those at step 0, with slope < 0; `first` the first
/// trial step, > 0.
LineResult strong_wolfe(const std::function<LinePoint(double)>& along, const LinePoint& start,
                        double first, const WolfeOptions& options = {});

}  // namespace ardent
