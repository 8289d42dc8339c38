// How good a model is on labelled rows, and how good training is under cross-validation.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ardent/predict.h"
#include "ardent/train.h"

namespace ardent::ARDENT_V0 {

/// By name: accuracy, log_loss, auc … or rmse, r2, nlpd …, then active, total, evidence, seconds.
using Metrics = std::map<std::string, double>;

Metrics evaluate(const Model& model, const Dataset& data, const PredictOptions& options = {});

/// The metrics of each fold; stratified for classification.
std::vector<Metrics> cross_validate(const Dataset& data, const TrainOptions& options = {},
                                    Index folds = 5, std::uint64_t seed = 1,
                                    const ProgressCallback& progress = {});

}  // namespace ardent::ARDENT_V0
