// Gamma draws, for the precision of the weights and of the noise.
#pragma once

#include "ardent/base/random.h"

namespace ardent::doubly_sparse {

/// One draw of the Gamma distribution with density ∝ x^(shape−1) exp(−rate x); shape, rate > 0.
/// Marsaglia and Tsang (ACM TOMS 26, 2000); for shape < 1 through Gamma(shape + 1)·U^(1/shape).
double draw_gamma(double shape, double rate, Random& random);

}  // namespace ardent::doubly_sparse
