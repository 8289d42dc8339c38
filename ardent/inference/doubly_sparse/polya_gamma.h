// The Pólya–Gamma distribution PG(1, c): the scale mixture that makes a logistic likelihood
// Gaussian (Polson, Scott and Windle, JASA 108, 2013).
//
//   1/(1 + exp(−s f)) = ½ ∫ exp(s f/2 − ω f²/2) p(ω | 1, 0) dω,   s = ±1,
//
// so that given ω the logistic likelihood of f is N(κ/ω, 1/ω) with κ = s/2, and given f the ω is
// again Pólya–Gamma: PG(1, f).
//
//   mean      tanh(c/2)/(2c)                      (1/4 at c = 0)
//   variance  (sinh c − c)/(4 c³ cosh²(c/2))      (1/24 at c = 0)
#pragma once

#include "ardent/base/random.h"

namespace ardent::doubly_sparse {

/// One draw of PG(1, c), c finite. Exact: Devroye's alternating series with the exponentially
/// tilted proposal of Polson, Scott and Windle (section 4); about 1.1 proposals a draw at any c.
double draw_polya_gamma(double c, Random& random);

/// One draw of PG(b, c), b > 0: what a row that counts b times needs. Whole b up to 16 are sums of
/// b draws as above. Others are the sum that defines the distribution,
///   (1/2π²) Σ_k g_k / ((k − ½)² + c²/4π²),   g_k ~ Gamma(b, 1),
/// with its terms after the first 6 + |c|/π replaced by one Gamma variable of their mean and
/// variance: the third cumulant is then off by 1·10⁻⁶ at c = 3, 2·10⁻⁵ at 10, 3·10⁻³ at most.
double draw_polya_gamma(double b, double c, Random& random);

}  // namespace ardent::doubly_sparse
