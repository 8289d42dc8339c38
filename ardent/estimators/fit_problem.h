// One problem, fitted as the options ask: the engine, the stage it stops at, the refit.
#pragma once

#include "ardent/estimators/support_choice.h"

namespace ardent {

/// Indices of the posterior and of the path refer to the basis functions of set.map. Begins at
/// options.warm_start, if there is one; inner folds begin as ever. A `rule` stands in for the folds
/// that would choose one.
FittedProblem fit_problem(const TrainingSet& set, const Problem& problem,
                          const TrainOptions& options, const std::optional<SupportRule>& rule,
                          const ProgressCallback& progress);

}  // namespace ardent
