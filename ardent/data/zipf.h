// A Zipf–Mandelbrot law of word frequencies: rank r of n has probability about 1/(r + q), q = 10.
//
// Its distribution function is taken as ln((r + q)/q)/ln((n + q)/q), continuous in r, so that a
// draw is one exponential whatever n. The shift q keeps the commonest words from being in all rows.
#pragma once

#include <algorithm>
#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/types.h"

namespace ardent {

class ZipfLaw {
 public:
  explicit ZipfLaw(Index ranks)
      : ranks_(ranks), log_span_(elementary::log1p(static_cast<double>(ranks) / kShift)) {}

  Index ranks() const { return ranks_; }

  /// The rank, from 0, below which a share u of the draws falls; 0 ≤ u < 1.
  Index rank(double u) const {
    return std::min(ranks_ - 1, static_cast<Index>(kShift * elementary::expm1(u * log_span_)));
  }
  /// Probability of all ranks below this one.
  double below(Index rank) const {
    return elementary::log1p(static_cast<double>(rank) / kShift) / log_span_;
  }
  double probability(Index rank) const { return below(rank + 1) - below(rank); }
  /// How many ranks, the commonest ones, have at least about this probability.
  Index at_least(double probability) const {
    const double count = 1 / (probability * log_span_) - kShift;
    return static_cast<Index>(std::clamp(count, 0.0, static_cast<double>(ranks_)));
  }

 private:
  static constexpr double kShift = 10;

  Index ranks_;
  double log_span_;
};

}  // namespace ardent
