// A log-likelihood along a direction, as line searches see it.
#pragma once

namespace ardent {

/// Along f + s·df.
struct LikelihoodAlong {
  double value = 0;      // without constants
  double slope = 0;      // its derivative in s
  double curvature = 0;  // minus the second derivative
};

}  // namespace ardent
