// One problem, fitted as the options ask: the engine, the stage it stops at, the refit.
#pragma once

#include "ardent/estimators/candidates.h"
#include "ardent/estimators/problem.h"

namespace ardent {

/// Indices of the posterior and of the path refer to the columns of candidates.design(rows).
Fit fit_problem(const Problem& problem, const Candidates& candidates, const TrainOptions& options,
                const ProgressCallback& progress);

}  // namespace ardent
