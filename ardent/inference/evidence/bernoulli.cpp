#include "ardent/inference/evidence/bernoulli.h"

#include <algorithm>
#include <array>

#include "ardent/base/parallel.h"

namespace ardent::bernoulli {
namespace {

constexpr Index kSumRowBlock = 4096;  // of a sum: its bits depend on it
constexpr Index kRowsAtOnce = 512;  // exp and log1p of many take a third of the time of one by one

using Exponentials = std::array<double, kRowsAtOnce>;

/// exp(−|f|) of the rows from `first` on, at most kRowsAtOnce and none from `end` on. How many.
template <class F>
Index exponentials(Index first, Index end, const F& f, Exponentials& e) {
  const Index count = std::min(kRowsAtOnce, end - first);
  for (Index k = 0; k < count; ++k) e[k] = -std::abs(f(first + k));
  elementary::exp_in_place(e.data(), count);
  return count;
}

/// −log p(t | f), of log(1 + exp(−|f|)).
double loss(double t, double f, double logarithm) {
  const double against = t > 0.5 ? -f : f;
  return against > 0 ? against + logarithm : logarithm;
}

}  // namespace

double log_likelihood(const Vector& t, const Vector& f, const Vector& weights) {
  const bool weighted = weights.size() > 0;
  return parallel_sum(t.size(), kSumRowBlock, [&](Index begin, Index end) {
    Exponentials e;
    double sum = 0;
    for (Index first = begin; first < end; first += kRowsAtOnce) {
      const Index count = exponentials(
          first, end, [&](Index i) { return f[i]; }, e);
      elementary::log1p_up_to_one_in_place(e.data(), count);
      for (Index k = 0, i = first; k < count; ++k, ++i) {
        sum -= (weighted ? weights[i] : 1.0) * loss(t[i], f[i], e[k]);
      }
    }
    return sum;
  });
}

void derivatives(const Vector& t, const Vector& f, Vector& residual, Vector& curvature,
                 const Vector& weights) {
  const bool weighted = weights.size() > 0;
  residual.resize(t.size());
  curvature.resize(t.size());
  parallel_blocks(t.size(), kRowsAtOnce, [&](Index begin, Index end) {
    Exponentials e;
    const Index count = exponentials(
        begin, end, [&](Index i) { return f[i]; }, e);
    for (Index k = 0, i = begin; k < count; ++k, ++i) {
      const auto [y, not_y] = shares(f[i], e[k]);
      const double weight = weighted ? weights[i] : 1.0;
      residual[i] = weight * (t[i] > 0.5 ? not_y : -y);
      curvature[i] = weight * y * not_y;
    }
  });
}

void add_along(const Vector& t, const Vector& f, const Vector& df, double s, const Vector& weights,
               Index begin, Index end, LikelihoodAlong& sum) {
  const auto at = [&](Index i) { return f[i] + s * df[i]; };
  Exponentials e, logarithms;
  for (Index first = begin; first < end; first += kRowsAtOnce) {
    const Index count = exponentials(first, end, at, e);
    logarithms = e;
    elementary::log1p_up_to_one_in_place(logarithms.data(), count);
    for (Index k = 0, i = first; k < count; ++k, ++i) {
      const auto [y, not_y] = shares(at(i), e[k]);
      sum.value -= weights[i] * loss(t[i], at(i), logarithms[k]);
      sum.slope += weights[i] * (t[i] > 0.5 ? not_y : -y) * df[i];
      sum.curvature += weights[i] * y * not_y * df[i] * df[i];
    }
  }
}

}  // namespace ardent::bernoulli
