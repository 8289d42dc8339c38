// Slice sampling in one dimension (Neal, Annals of Statistics 31, 2003): stepping out and
// shrinking.
#pragma once

#include "ardent/base/elementary.h"
#include "ardent/base/random.h"

namespace ardent::doubly_sparse {

/// One step from `at` that leaves exp(log_density) as it is, which must fall to 0 at both ends.
/// `width` > 0 is a guess of the density's width: a poor one costs evaluations, nothing else.
template <class LogDensity>
double slice_step(double at, double width, LogDensity&& log_density, Random& random) {
  const double level = log_density(at) + elementary::log(1 - random.uniform());
  double low = at - width * random.uniform(), high = low + width;
  while (log_density(low) > level) low -= width;
  while (log_density(high) > level) high += width;
  while (true) {
    const double proposed = random.uniform(low, high);
    if (log_density(proposed) >= level) return proposed;
    (proposed < at ? low : high) = proposed;
    if (!(high > low)) return at;  // shrunk to nothing: rounding
  }
}

}  // namespace ardent::doubly_sparse
