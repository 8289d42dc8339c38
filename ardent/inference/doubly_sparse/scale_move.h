// How likely each scale of the weights is: the density along (α, b, ξ) → (cα, cb, ξ/c²).
//
// f becomes c f. With the Jacobian c^(m+1−2) of m weights and a bias (c^(m−2) without one), the
// priors of α, of b (precision p_b) and of log ξ (log density g), the density of s = log c is
//   log p(t | c f) + g(log ξ − 2s) + s − ½ p_b c² b²   (the last two terms only with a bias).
#pragma once

#include "ardent/inference/doubly_sparse/collapsed_columns.h"
#include "ardent/inference/doubly_sparse/scale_prior.h"
#include "ardent/inference/evidence/bernoulli.h"

namespace ardent::doubly_sparse {

struct ScaleMove {
  const Vector& t;  // Bernoulli
  const Vector& f;
  const ScalePrior& prior;
  double log_xi = 0;
  double bias = 0;
  bool has_bias = true;
  Vector weights = {};  // of the rows; empty: all 1

  /// Of s = log c, up to a constant.
  double log_density(double s) const {
    const double c = elementary::exp(s), scaled = c * bias;
    return bernoulli::log_likelihood(t, c * f, weights) + prior.log_density(log_xi - 2 * s) +
           (has_bias ? s - 0.5 * kBiasPrecision * scaled * scaled : 0);
  }
};

}  // namespace ardent::doubly_sparse
