// Where on the path to stop: on folds that repeat the whole path.
//
// Beside the path of ℓ1 and its reweightings there are others for sparse columns, with an ℓ2 term,
//
//   λ Σ_k (|w_k| + ½ρw_k²),   ρ = share × √(ave_i‖φ_i‖²),   share .1 or 1
//
// where ℓ1 shrinks large weights too little (text: a few columns must not speak for all their
// kin). ρ makes the term independent of the unit of the columns. Reweighting takes shrinkage away
// and the ℓ2 term adds some, so they are not combined. Models with an ℓ2 term have many weights,
// which are cheap where each column has few entries (quadratic_l1.h) and dear where it has all:
// dense columns walk the first path alone.
//
// Each fold walks the path over its own training rows (the held-out ones have weight 0, so their f
// comes with the solution) and scores every stop: Σ log p(t | f) for classes, −Σ(t − f)² for a
// regression. The λ are those of all rows. A fold's walk ends where its score has not risen for ten
// values of λ (with an ℓ2 term: for five). Folds walk at the same time, and loosely: scores settle
// long before weights do.
#pragma once

#include <string>
#include <vector>

#include "ardent/base/progress.h"
#include "ardent/inference/path/l1_path.h"
#include "ardent/inference/stage_checkpoint.h"
#include "ardent/inference/target_folds.h"

namespace ardent {

/// What ℓ1 alone does for the rows that one fold holds out: the least −Σ log p (or squared error)
/// of a few λ on the way down to a hundredth of the largest, until it rises.
double l1_loss(const L1Problem& problem, const Split& fold);

/// The problem with the ℓ2 term of path `ridge`; 0: none.
L1Problem with_ridge(const L1Problem& problem, Index ridge);

/// Paths with an ℓ2 term that are worth asking for.
inline constexpr Index kPathRidges = 2;

/// λ of path `ridge`: 60 down to a thousandth of the largest; with an ℓ2 term, whose solutions
/// change more slowly and go on to more weights, 36 down to a three thousandth.
Vector path_grid(double largest, Index ridge);

/// What is walked: one path of ℓ1 and its reweightings, and `ridges` with an ℓ2 term and none.
struct PathPlan {
  Index reweightings = 0;
  Index ridges = 0;  // at most kPathRidges

  Index reweightings_of(Index ridge) const { return ridge > 0 ? 0 : reweightings; }
};

/// c log loss (or squared error) of each row at f; empty where f is.
Vector losses_by_row(const L1Problem& problem, const Vector& f);

/// Scores of all stops, and how many weights they have.
class PathScores {
 public:
  /// Walks each path of the plan once for each fold.
  /// The largest λ is that of all rows.
  /// `checkpoint`: where each walk has a part of its own, or null.
  PathScores(const L1Problem& problem, double largest, const PathPlan& plan, Index folds,
             std::uint64_t seed, const ProgressCallback& progress,
             const std::shared_ptr<StageCheckpoint>& checkpoint = nullptr);

  bool stopped() const { return stopped_; }
  Index steps(Index ridge) const;  // that every fold has
  /// The best stop among those with at most `most` weights on average (0: no limit).
  /// min: the best score; one_standard_error: the fewest weights whose score is within a standard
  /// error of the best.
  PathPlace choose(PathRule rule, Index most) const;
  /// Minus the held-out score of each fold, at this stop (its last step, if its walk ended before).
  std::vector<double> losses(const PathPlace& place) const;
  /// The same at the stop that the other folds choose: what choosing costs is in it.
  std::vector<double> losses(PathRule rule, Index most) const;
  /// f of each row by the fold that does not know it, at the stop that the other folds choose;
  /// empty where rows are more than 10,000.
  Vector held_out_values(PathRule rule, Index most) const;
  /// Held-out score per unit of row weight; a regression's is minus the mean squared error.
  double score(const PathPlace& place) const;
  /// Of each fold, per unit of row weight: the score of its own largest model of at most `size`
  /// weights on that path. A fold has fewer rows than all together: at the same λ its model is
  /// smaller and shrunk more for each row, and there a reweighting, which takes shrinkage away,
  /// looks better than it is at the size that was asked for.
  Vector scores_of_size(Index size, Index ridge, Index reweighting) const;

 private:
  struct Stop {
    double score = 0;
    double active = 0;
    Vector f = {};  // of the rows held out
  };
  using Walk = std::vector<std::vector<Stop>>;  // by step, by reweighting
  struct Fold {
    std::vector<Walk> walks;  // by ridge
    std::vector<Index> held_out;
    double rows = 0;

    /// Its last step, if its walk ended before.
    const Stop& at(const PathPlace& place) const;
  };
  /// `proceed` is asked at every λ. `place`: where the walk is left, or null.
  static Walk walk(const L1Problem& problem, const Vector& grid, Index reweightings,
                   const std::vector<Index>& held_out,
                   const std::function<bool(const PathStop&, double score)>& proceed,
                   StageCheckpoint* place);
  /// The stops so far and where the walk is; of a walk that has ended the stops alone.
  static void leave(const Walk& stops, Index step, const L1Solution& plain, bool ended,
                    StageCheckpoint& place);
  static Walk stops_of(const Container& file);
  static Index best_step(const Walk& stops);  // 0 where there is none
  /// The stop that the folds but this one choose.
  PathPlace choose_without(std::size_t fold, PathRule rule, Index most) const;
  double mean_active(const PathPlace& place) const;
  double standard_error(const PathPlace& place) const;

  PathPlan plan_;
  std::vector<Fold> folds_;
  bool stopped_ = false;
};

}  // namespace ardent
