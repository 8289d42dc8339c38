// What `auto` means for more than two classes of more columns than rows (microarrays): each class
// against the rest, by the way that predicts held-out rows best together.
//
// Pairs have few rows each, and coupling many small models chosen from thousands of columns loses
// much of what they know. One against the rest has all rows for each model. Which way to fit is
// not to be known beforehand: few columns may say it all, or many a little. So every class is
// fitted against the rest
//
//   by the path        (path.h), its stop by its own folds,
//   by shrinkage       (shrinkage.h), its strength by the same folds,
//   by both, averaged  (averaged_fit.h),
//
// and each way is given the temperature at which the probabilities of the held-out rows, of all
// classes together, have the highest likelihood (class_choice.h). The way with the highest is
// taken for all classes. f of a held-out row is that of the fold that does not know it.
#pragma once

#include "ardent/estimators/class_choice.h"
#include "ardent/estimators/fit_parts.h"

namespace ardent {

/// True where `auto` is that: nothing else was asked for, and every class has rows for folds.
bool prefers_rest_of_wide(const Dataset& data, const TrainOptions& options);

struct WideClasses {
  std::vector<Fit> fits;
  ClassDecision decision;
};

/// `set`: its problems are those of one class against the rest.
WideClasses fit_wide_classes(const TrainingSet& set, const TrainOptions& options,
                             const ProgressCallback& progress);

}  // namespace ardent
