// What `auto` means for sparse data of two classes that are too large for a Hessian: text, mostly.
//
// There many columns say a little each, and the evidence prunes on past the best model
// (docs/algorithms.md). So the engine is `shrinkage`, its strength learnt on folds; the converged
// evidence stays as `--engine diagonal`.
//
// Penalties depend on the columns' units, so `--scale auto` leaves them as they are. Values that
// are all whole numbers from 0 on are counts or marks, and text counts predict better as tf-idf
// while other counts may not: there the folds' log loss decides between the two.
#pragma once

#include "ardent/estimators/training_set.h"

namespace ardent {

/// True where `auto` is shrinkage: nothing else was asked for.
bool prefers_shrinkage(const Dataset& data, const TrainOptions& options);

struct ScaleDecision {
  std::string scale = "auto";
  std::string note = "";  // why, where folds decided
};

/// What options.scale means for these data, which may still be auto.
ScaleDecision decide_scale(const Dataset& data, const TrainOptions& options);

}  // namespace ardent
