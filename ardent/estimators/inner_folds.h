// Choices that the evidence makes badly, made on inner folds of the training rows instead: after
// how many stages to stop, and how strongly to shrink what was kept.
//
// On text the type-II objective over-fits: stages after the best one prune on and lose accuracy
// (docs/algorithms.md). Each fold is fitted on its own training rows, selection included, and
// scored on its held-out rows: Σ log p(t | plug-in f) for classes, −Σ(t − f)² for a regression.
// One fold is in memory at a time. Scaling and hidden nodes are those of all training rows.
#pragma once

#include "ardent/data/folds.h"
#include "ardent/design/fold_sums.h"
#include "ardent/estimators/training_set.h"
#include "ardent/inference/engines/pooled.h"

namespace ardent {

/// Losses of rows that had no part in their fold's fit.
struct HeldOut {
  std::vector<double> losses;  // one per fold: −Σ log p (moderated where the joint covariance was
                               // formed), for a regression Σ(t − f)²
  double rows = 0;    // that these losses are of
  Vector by_row;      // the same of each row of the problem
  double spread = 0;  // regression: Σ φᵀΣφ, the part of it that is the weights' own
};

/// What shrinking the kept columns anew does for held-out rows.
struct RefitChoice {
  PooledPrior prior;   // the best
  double loss = 0;     // under it, per row: log loss, or squared error
  double without = 0;  // of the weights as they were selected

  bool helps() const { return loss < without; }
};

class InnerFolds {
 public:
  /// The references must outlive this. So many stratified folds, or as many as the rarer class has
  /// rows; an InputError if that is one. `progress` may stop the work, as that of any engine.
  InnerFolds(const TrainingSet& set, const Problem& problem, const EngineOptions& options,
             const std::string& engine, const ProgressCallback& progress, Index folds = 5);

  /// From now on folds read their rows where they are in this matrix, whose rows are the problem's,
  /// and share what sums over rows say. Returns the design of all rows, which shares that, too.
  std::shared_ptr<const Design> share_rows_of(std::shared_ptr<const Matrix> phi);

  /// The number of stages whose weights do best on held-out rows; the smallest of equals. A fold
  /// that converged earlier counts with its last stage.
  Index best_stage() const;
  /// The pooled prior that does best for the columns kept after `stages` (0: the engine's limit).
  /// Walks down in strength from 1 by factors of √10 for each of three powers. Refit or not is for
  /// the caller, by the losses.
  RefitChoice best_prior(Index stages) const;
  /// Σ log p(t | posterior) of held-out rows: classes by moderated probabilities where the joint
  /// covariance was formed, a regression by its predictive density. `augmented`: a regression's
  /// variance is that of augmented_variance.h (rbf only).
  double held_out_score(bool augmented = false) const;
  /// How each fold's posterior does on its held-out rows.
  HeldOut held_out() const;
  Index folds() const { return std::ssize(splits_); }
  /// How a bias does that knows nothing but its fold's rows (0 where there is none).
  HeldOut bias_alone() const;

 private:
  struct Fold;
  Fold fold(std::size_t number) const;
  /// `purpose`: of the fit, in the checkpoint of the options (if any), where each has its own part.
  Fit fit_fold(std::size_t number, const Fold& own, const std::string& purpose,
               EngineOptions options) const;
  ProgressCallback progress_of_fold(std::size_t number) const;

  const TrainingSet& set_;
  const Problem& problem_;
  EngineOptions options_;
  std::string engine_;
  const ProgressCallback& progress_;
  std::vector<Split> splits_;       // positions in problem.rows
  std::shared_ptr<FoldSums> sums_;  // or null
};

}  // namespace ardent
