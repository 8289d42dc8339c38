// One problem, fitted as the options ask: the engine, the stage it stops at, the refit.
#pragma once

#include "ardent/estimators/support_choice.h"

namespace ardent {

/// Indices of the posterior and of the path refer to the basis functions of set.map. Begins at
/// options.warm_start, if there is one; inner folds begin as ever. A `rule` stands in for the folds
/// that would choose one. `stages`: where the engine leaves its state, or null.
FittedProblem fit_problem(const TrainingSet& set, const Problem& problem,
                          const TrainOptions& options, const std::optional<SupportRule>& rule,
                          const ProgressCallback& progress,
                          const std::shared_ptr<StageCheckpoint>& stages = nullptr);

}  // namespace ardent
