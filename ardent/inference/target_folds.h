// Folds of a target, and what a fit has to say about them.
//
// All that is compared on folds is compared on the same ones: what chooses between ways to fit
// pairs their losses fold by fold.
#pragma once

#include "ardent/data/folds.h"
#include "ardent/inference/engine.h"

namespace ardent {

/// Stratified folds of classes, shuffled ones of a regression; fewer where rows are few, and an
/// InputError where they do not suffice for two. Positions in `t`. `weights` (empty, or one per
/// row): rows that count nothing are dealt out apart, so that every fold has rows that count.
/// `share`: of the rows, null where these are all; the folds are those of all rows, of which each
/// process has its own. While they are dealt out every process holds some numbers for each row.
std::vector<Split> target_folds(Likelihood likelihood, const Vector& t, Index folds,
                                std::uint64_t seed, const Vector& weights = {},
                                const RowShare* share = nullptr);

/// A fit whose options its own folds have chosen.
struct FitOnFolds {
  Fit fit;
  /// Of each fold, under the options that the others choose: −Σ log p of held-out rows, or
  /// Σ(t − f)².
  std::vector<double> losses;
  Vector by_row = {};  // the same of each row; path: of 10,000 rows at most
};

}  // namespace ardent
