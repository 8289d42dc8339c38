// The prior of ξ, the precision of the weights.
//
//   log-normal  log ξ ~ N(log centre, sd²): the default. On data that classes separate, weights can
//               grow without end, and only the prior of their scale says how far: a prior that
//               is flat far out leaves chains wandering there for as long as they run.
//   gamma       ξ ~ Gamma(1, 1), the prior of version 0.1.
#pragma once

#include <string_view>

#include "ardent/base/elementary.h"

namespace ardent::doubly_sparse {

enum class ScalePriorKind { log_normal, gamma };

ScalePriorKind parse_scale_prior(std::string_view name);  // log-normal | gamma

// Weights of some 10 in the log odds, from 6 to 16: as f is a sum of few kernels that are at most
// 1, that lets it be sure of a class without letting it run away.
inline constexpr double kScaleCentre = 0.01, kScaleSd = 1;  // of the log-normal prior
inline constexpr double kXiShape = 1, kXiRate = 1;          // of the Gamma prior
inline constexpr double kGammaStart = 1;                    // where its chains begin

struct ScalePrior {
  ScalePriorKind kind = ScalePriorKind::log_normal;
  double log_centre = 0;  // log-normal
  double sd = 1;          // > 0: log-normal

  /// Log density of log ξ, up to a constant.
  double log_density(double log_xi) const {
    if (kind == ScalePriorKind::gamma) {
      return kXiShape * log_xi - kXiRate * elementary::exp(log_xi);
    }
    const double z = (log_xi - log_centre) / sd;
    return -0.5 * z * z;
  }
};

}  // namespace ardent::doubly_sparse
