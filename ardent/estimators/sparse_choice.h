// What `auto` means for sparse data of two classes that are too large for a Hessian: text, mostly.
//
// There many columns say a little each, and the evidence prunes on past the best model
// (docs/algorithms.md). So the engine is `shrinkage`, its strength learnt on folds, unless few
// columns say it all and `path` predicts the held-out rows better. That is asked of ℓ1 on one fold
// first, at a few λ: only where it does better there than shrinkage the whole path is walked, and
// the lower log loss of the held-out rows of all folds wins. The converged evidence stays as
// `--engine diagonal`.
//
// Penalties depend on the columns' units. Where these are one and the same (text) they are best
// left as they are; where every column has its own, nothing but the largest would be learnt. So
// `--scale auto` asks folds of about 1,000 rows: as they are, a root mean square of 1, or, for whole
// numbers from 0 on, tf-idf, by which counts of words predict better.
#pragma once

#include "ardent/estimators/training_set.h"

namespace ardent {

/// True where `auto` is shrinkage: nothing else was asked for.
bool prefers_shrinkage(const Dataset& data, const TrainOptions& options);

/// By shrinkage or by the path. The report says which, and why.
Fit fit_sparse(const Design& design, const Target& target, const EngineOptions& options,
               const ProgressCallback& progress);

struct ScaleDecision {
  std::string scale = "auto";
  std::string note = "";  // why, where folds decided
};

/// What options.scale means for these data, which may still be auto.
ScaleDecision decide_scale(const Dataset& data, const TrainOptions& options);

}  // namespace ardent
