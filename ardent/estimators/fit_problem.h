// One problem, fitted as the options ask: the engine, the stage it stops at, the refit.
#pragma once

#include "ardent/estimators/candidates.h"
#include "ardent/estimators/problem.h"

namespace ardent {

/// Indices of the posterior and of the path refer to the columns of candidates.design(rows).
/// `start` (may be null): where the engine begins; inner folds begin as ever.
Fit fit_problem(const Problem& problem, const Candidates& candidates, const TrainOptions& options,
                const ProgressCallback& progress,
                std::shared_ptr<const StartingPoint> start = nullptr);

}  // namespace ardent
