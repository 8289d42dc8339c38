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
// P is the effective number of candidates, not the number of columns p: kernel columns on
// neighbouring rows are nearly copies, and of copies one is tried, not many. With S the correlation
// matrix of the columns, λ its eigenvalues, and n the rows less one for the bias,
//
//   1/P = (1/P_s − 1/n)/(1 − 1/n),   P_s = (Σ√λ)²/Σλ,   P ≤ p
//
// P_s counts the directions of the spectrum (Galwey 2009, for tests that are correlated); unlike
// (Σλ)²/Σλ² it is not ruled by one factor that all columns share. Of n rows it is too small, n at
// most; the 1/n takes that out. P of orthogonal columns is their number, of copies of one column 1,
// of independent columns about their number, of wide kernels a few.
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

/// P of the design's columns. `bias`: columns are taken about their means. From the eigenvalues
/// where the smaller side of the design is at most 400, else by 16 random probes of tr √S. Constant
/// columns count for nothing; at least 1.
double effective_candidates(const Design& design, const Vector& row_weights, bool bias);

}  // namespace ardent
