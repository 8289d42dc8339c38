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

/// The engine that `auto` means for a design of that size: exact where its cost allows, else
/// diagonal for the linear map and sequential for the others, whose columns overlap too much for
/// the diagonal of a Hessian to say much.
std::string choose_engine(const std::string& engine, MapKind map, Index rows, Index cols);

}  // namespace ardent
