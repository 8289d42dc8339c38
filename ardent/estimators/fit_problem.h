// One problem, fitted as the options ask: the engine, the stage it stops at, the refit.
#pragma once

#include "ardent/estimators/training_set.h"

namespace ardent {

/// The engine that `auto` means for a map and a design of that size: growing for rbf; else exact
/// where its cost allows, diagonal for a linear map and sequential for the others, whose columns
/// overlap too much for the diagonal of a Hessian to say much.
std::string choose_engine(const std::string& engine, std::string_view map, Index rows, Index cols);

/// Indices of the posterior and of the path refer to the basis functions of set.map. Begins at
/// options.warm_start, if there is one; inner folds begin as ever.
Fit fit_problem(const TrainingSet& set, const Problem& problem, const TrainOptions& options,
                const ProgressCallback& progress);

}  // namespace ardent
