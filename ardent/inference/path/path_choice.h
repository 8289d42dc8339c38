// Where on the path to stop: on folds that repeat the whole path.
//
// Each fold walks the path over its own training rows (the held-out ones have weight 0, so their f
// comes with the solution) and scores every stop: Σ log p(t | f) for classes, −Σ(t − f)² for a
// regression. The λ are those of all rows. A fold's walk ends where its score has not risen for ten
// values of λ. Folds walk at the same time, and loosely: scores settle long before weights do.
#pragma once

#include <string>
#include <vector>

#include "ardent/base/progress.h"
#include "ardent/inference/path/l1_path.h"
#include "ardent/inference/target_folds.h"

namespace ardent {

/// What ℓ1 alone does for the rows that one fold holds out: the least −Σ log p (or squared error)
/// of a few λ on the way down to a hundredth of the largest, until it rises.
double l1_loss(const L1Problem& problem, const Split& fold);

/// Scores of all stops, and how many weights they have.
class PathScores {
 public:
  /// Walks the path once for each fold.
  PathScores(const L1Problem& problem, const Vector& grid, Index reweightings, Index folds,
             std::uint64_t seed, const ProgressCallback& progress);

  bool stopped() const { return stopped_; }
  Index steps() const;  // that every fold has
  /// The best stop among those with at most `most` weights on average (0: no limit).
  /// min: the best score; one_standard_error: the fewest weights whose score is within a standard
  /// error of the best.
  PathPlace choose(PathRule rule, Index most) const;
  /// Minus the held-out score of each fold, at this stop (its last step, if its walk ended before).
  std::vector<double> losses(const PathPlace& place) const;
  /// The same at the stop that the other folds choose: what choosing costs is in it.
  std::vector<double> losses(PathRule rule, Index most) const;
  /// Held-out score per unit of row weight; a regression's is minus the mean squared error.
  double score(const PathPlace& place) const;

 private:
  struct Fold {
    std::vector<std::vector<double>> score;  // by step, by reweighting
    std::vector<std::vector<double>> active;
    double rows = 0;
  };
  /// `proceed` is asked at every λ.
  static Fold walk(const L1Problem& problem, const Vector& grid, Index reweightings,
                   const std::vector<Index>& held_out,
                   const std::function<bool(const PathStop&, double score)>& proceed);
  static double loss(const Fold& fold, const PathPlace& place);

  Index reweightings_;
  std::vector<Fold> folds_;
  bool stopped_ = false;
};

}  // namespace ardent
