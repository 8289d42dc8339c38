// The rule of Metropolis and Hastings.
#pragma once

#include "ardent/base/elementary.h"
#include "ardent/base/random.h"

namespace ardent::doubly_sparse {

/// With probability min(1, exp(log_ratio)).
inline bool accepted(double log_ratio, Random& random) {
  return log_ratio >= 0 || random.uniform() < elementary::exp(log_ratio);
}

}  // namespace ardent::doubly_sparse
