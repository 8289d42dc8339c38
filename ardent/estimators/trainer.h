// Training: Dataset + options → Model.
#pragma once

#include "ardent/base/progress.h"
#include "ardent/data/dataset.h"
#include "ardent/estimators/problem.h"
#include "ardent/estimators/train_options.h"
#include "ardent/model/model.h"

namespace ardent {

class SharedDistances;

/// What keeps several processes from sharing the rows of this training ("the map rbf"); empty:
/// nothing that the options say.
std::string needs_all_rows(const TrainOptions& options);

/// Fits the scaling on these rows, builds the feature map, runs the engine once for a two-class or
/// regression problem and once per pair (or class) for more classes, and bundles what survives.
/// With a farm every process has all rows and gets the whole model.
/// Parts' reports carry their seconds; a model file does not.
/// `distances` (may be null): among these rows, for trainings that differ in sigma.
Model train(const Dataset& data, const TrainOptions& options, const ProgressCallback& progress = {},
            SharedDistances* distances = nullptr);

}  // namespace ardent
