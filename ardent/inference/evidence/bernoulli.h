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
#include "ardent/base/parallel.h"
#include "ardent/base/types.h"

namespace ardent::bernoulli {

inline constexpr Index kSumRowBlock = 4096;     // of a sum: its bits depend on it
inline constexpr Index kDerivativeBlock = 512;  // rows on their own

/// log(1 + exp(x))
inline double log1p_exp(double x) {
  const double log = elementary::log1p(elementary::exp(-std::abs(x)));
  return x > 0 ? x + log : log;
}

/// y = 1/(1 + exp(−x)) and not_y = 1 − y without cancellation, of one exponential.
struct Shares {
  double y, not_y;
};
inline Shares shares(double x) {
  const double e = elementary::exp(-std::abs(x));
  const double larger = 1 / (1 + e), smaller = e / (1 + e);
  return x >= 0 ? Shares{larger, smaller} : Shares{smaller, larger};
}

inline double sigmoid(double x) {
  return shares(x).y;
}

/// Σ_i c_i log p(t_i | f_i), c the weights of the rows (empty: all 1)
inline double log_likelihood(const Vector& t, const Vector& f, const Vector& weights = {}) {
  const bool weighted = weights.size() > 0;
  return parallel_sum(t.size(), kSumRowBlock, [&](Index begin, Index end) {
    double sum = 0;
    for (Index i = begin; i < end; ++i) {
      sum -= (weighted ? weights[i] : 1.0) * log1p_exp(t[i] > 0.5 ? -f[i] : f[i]);
    }
    return sum;
  });
}

/// residual = c (t − y) and curvature = c y (1 − y), row by row.
inline void derivatives(const Vector& t, const Vector& f, Vector& residual, Vector& curvature,
                        const Vector& weights = {}) {
  const bool weighted = weights.size() > 0;
  residual.resize(t.size());
  curvature.resize(t.size());
  parallel_blocks(t.size(), kDerivativeBlock, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const auto [y, not_y] = shares(f[i]);
      const double weight = weighted ? weights[i] : 1.0;
      residual[i] = weight * (t[i] > 0.5 ? not_y : -y);
      curvature[i] = weight * y * not_y;
    }
  });
}

}  // namespace ardent::bernoulli
