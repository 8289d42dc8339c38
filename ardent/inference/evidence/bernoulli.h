// The Bernoulli likelihood with logit link: p(t = 1) = y = σ(f), for t in {0, 1}.
//
//   log p(t | f) = −log(1 + exp(−s f)),  s = 2t − 1
//   gradient     d/df = t − y            (the residual)
//   curvature   −d²/df² = y (1 − y) = β
//
// All three are computed without overflow and without losing the small values that matter when the
// data are separable and |f| is large.
#pragma once

#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/types.h"
#include "ardent/inference/evidence/likelihood_along.h"

namespace ardent::bernoulli {

/// log(1 + exp(x))
inline double log1p_exp(double x) {
  const double log = elementary::log1p(elementary::exp(-std::abs(x)));
  return x > 0 ? x + log : log;
}

/// y = 1/(1 + exp(−x)) and not_y = 1 − y without cancellation, of one exponential.
struct Shares {
  double y, not_y;
};

/// Of x and e = exp(−|x|).
inline Shares shares(double x, double e) {
  const double larger = 1 / (1 + e), smaller = e / (1 + e);
  return x >= 0 ? Shares{larger, smaller} : Shares{smaller, larger};
}

inline Shares shares(double x) {
  return shares(x, elementary::exp(-std::abs(x)));
}

inline double sigmoid(double x) {
  return shares(x).y;
}

/// Σ_i c_i log p(t_i | f_i), c the weights of the rows (empty: all 1)
double log_likelihood(const Vector& t, const Vector& f, const Vector& weights = {});

/// residual = c (t − y) and curvature = c y (1 − y), row by row.
void derivatives(const Vector& t, const Vector& f, Vector& residual, Vector& curvature,
                 const Vector& weights = {});

/// Adds what the rows from begin to end have of it.
void add_along(const Vector& t, const Vector& f, const Vector& df, double s, const Vector& weights,
               Index begin, Index end, LikelihoodAlong& sum);

}  // namespace ardent::bernoulli
