// What `auto` means for sparse data of classes that are too large for a Hessian: text, mostly.
//
// There many columns say a little each, and the evidence prunes on past the best model
// (docs/algorithms.md). So the engine is `shrinkage`, its strength learnt on folds, unless few
// columns say it all and `path` predicts the held-out rows better. That is asked of ℓ1 on one fold
// first, at a few λ: only where it does better there than shrinkage the whole path is walked, and
// the lower log loss of the held-out rows of all folds wins. The converged evidence stays as
// `--engine diagonal`.
//
// More than two classes: each against the rest, which predicts text better than pairs do, and by
// shrinkage alone. Five of ten models or more choose the strength for the others (SupportRule), and
// for those with a class of fewer than five rows. Each model is shrunk by itself towards the share
// of its class, so that probabilities that are made to sum to 1 are less sure than the rows allow,
// or surer: their temperature is the one at which those of held-out rows are likeliest
// (class_choice.h), f being that of the folds.
//
// Penalties depend on the columns' units. Where these are one and the same (text) they are best
// left as they are; where every column has its own, nothing but the largest would be learnt. So
// `--scale auto` asks folds of about 1,000 rows (of more classes: 50 of each): as they
// are, a root mean square of 1, or, for whole numbers from 0 on, tf-idf, by which counts of words
// predict better.
#pragma once

#include "ardent/estimators/support_choice.h"

namespace ardent {

/// True where `auto` is shrinkage: nothing else was asked for.
bool prefers_shrinkage(const Dataset& data, const TrainOptions& options);

/// Two classes, by shrinkage or by the path. The report says which, and why.
FittedProblem fit_sparse(const Design& design, const Target& target, EngineOptions options,
                         const ProgressCallback& progress);

/// One of several models, by shrinkage: as strong as the `rule` says, if there is one.
FittedProblem fit_sparse_class(const Design& design, const Target& target, EngineOptions options,
                               const std::optional<SupportRule>& rule,
                               const ProgressCallback& progress);

/// Evenly spaced problems, up to `most`, that have five rows of each class for folds. `share`: of
/// the rows, or null.
std::vector<Index> problems_for_folds(const std::vector<Problem>& problems, Index most,
                                      const RowShare* share = nullptr);

struct ScaleDecision {
  std::string scale = "auto";
  std::string note = "";  // why, where folds decided
};

/// What options.scale means for these data, which may still be auto.
ScaleDecision decide_scale(const Dataset& data, const TrainOptions& options);

}  // namespace ardent
