// One problem, fitted as the options ask: the engine, the stage it stops at, the refit.
#pragma once

#include "ardent/estimators/training_set.h"

namespace ardent {

/// Indices of the posterior and of the path refer to the basis functions of set.map. Begins at
/// options.warm_start, if there is one; inner folds begin as ever.
Fit fit_problem(const TrainingSet& set, const Problem& problem, const TrainOptions& options,
                const ProgressCallback& progress);

}  // namespace ardent
