// Training: Dataset + options → Model.
#pragma once

#include "ardent/base/progress.h"
#include "ardent/data/dataset.h"
#include "ardent/estimators/train_options.h"
#include "ardent/model/model.h"

namespace ardent {

class SharedDistances;

/// Fits the scaling on these rows, builds the feature map, runs the engine once for a two-class or
/// regression problem and once per pair (or class) for more classes, and bundles what survives.
/// Parts' reports carry their seconds; a model file does not.
/// `distances` (may be null): among these rows, for trainings that differ in sigma.
Model train(const Dataset& data, const TrainOptions& options, const ProgressCallback& progress = {},
            SharedDistances* distances = nullptr);

}  // namespace ardent
