// A prior on the support: the price of one column more, which the evidence alone does not have.
//
// The evidence has one free precision per column and no price on how many columns were tried: of P
// columns that say nothing the best one gains about log P nats by chance. So give the support S a
// beta-binomial prior: its size is uniform, and all supports of one size are equally likely. The
// objective is then log evidence + log p(S), and one column more than k costs
//
//   cost(k) = log((P − k)/(k + 1)) nats,   not below 0
//
// (0 from half of the candidates on: a full model is not preferred to a half one).
//
// For a linear map every column is a hypothesis of its own, and P is their number (the caller says
// so: EngineOptions::candidates). Basis functions of other maps are not: kernels on neighbouring
// rows are nearly copies, and of copies one is tried, not many. There P is the effective number of
// candidates: with S the correlation matrix of the p columns, and n the rows less one for the bias,
//
//   1/P = (1/P_s − 1/n)/(1 − 1/n),   P_s = p²/tr(S²),   P ≤ p
//
// P_s is the participation ratio of the spectrum. That of n rows is too small, p n/(p + n) for
// independent columns, by the chance correlations of n rows; the 1/n takes them out. P of
// orthogonal columns is their number, of copies of one column 1, of independent columns about
// their number, of wide kernels 1 to 5, of narrow ones their number. It is of no use for features:
// one factor that all of them share takes it to a handful, and what they say beside it is
// forgotten.
#pragma once

#include <vector>

#include "ardent/design/design.h"

namespace ardent {

class SupportPrior {
 public:
  SupportPrior() = default;  // none: nothing costs anything
  explicit SupportPrior(double candidates) : candidates_(candidates) {}

  double candidates() const { return candidates_; }  // P; 0: no prior
  /// Nats that one column more than `kept` costs.
  double cost(Index kept) const;
  /// log p(S) of a support of that size, less that of an empty one: −cost(0) − … − cost(kept − 1).
  double log_probability(Index kept) const;
  /// False where there is no prior, or so few candidates that it fades after five columns.
  bool matters() const { return candidates_ > kFewCandidates; }

 private:
  static constexpr double kFewCandidates = 10;
  double candidates_ = 0;
};

/// P of the design's columns. `bias`: columns are taken about their means. Exact where a Gram
/// matrix of the smaller side takes at most 1e10 multiplications, else from 32 random probes of
/// tr(S²). Constant columns count for nothing; at least 1.
double effective_candidates(const Design& design, const Vector& row_weights, bool bias);

}  // namespace ardent
