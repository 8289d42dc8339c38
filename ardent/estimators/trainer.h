// Training: Dataset + options → Model.
#pragma once

#include "ardent/base/progress.h"
#include "ardent/data/dataset.h"
#include "ardent/estimators/train_options.h"
#include "ardent/model/model.h"

namespace ardent {

class SharedDistances;

/// classification or regression, by options.task or, for auto, by the labels.
Task resolve_task(const Labels& labels, const std::string& task);

/// The engine that `auto` means for a design of that size: exact where its cost allows, else
/// diagonal for the linear map and sequential for the others, whose columns overlap too much for
/// the diagonal of a Hessian to say much.
std::string choose_engine(const std::string& engine, MapKind map, Index rows, Index cols);

/// Fits the scaling on these rows, builds the feature map, runs the engine once for a two-class or
/// regression problem and once per pair (or class) for more classes, and bundles what survives.
/// Parts' reports carry their seconds; a model file does not.
/// `distances` (may be null): among these rows, for trainings that differ in sigma.
Model train(const Dataset& data, const TrainOptions& options, const ProgressCallback& progress = {},
            SharedDistances* distances = nullptr);

}  // namespace ardent
