// Training of a linear model on a design that is not here: of rows that lie on other machines, or
// of an operator that has no rows at all. What is asked for is what engines ask of a Design.
//
// The engines diagonal (which auto is), probes and dqn do with products and square norms. What
// looks at rows or single entries is refused: other engines, inner folds, the choice of a scaling.
// Each part of a model with several classes sees all rows, those of other classes with weight 0.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ardent/base/progress.h"
#include "ardent/data/labels.h"
#include "ardent/data/scaling.h"
#include "ardent/estimators/train_options.h"
#include "ardent/model/model.h"

namespace ardent {

struct DesignData {
  std::shared_ptr<const Design> design;  // of the scaled columns
  Labels labels;
  std::vector<double> weights = {};  // empty, or one per row
  /// By which the columns are scaled already; none: as they are. Not tfidf.
  Scaling scaling = {};
  std::vector<std::string> feature_names = {};
  std::string label_name = {};
};

/// Parts are fitted one after another, on the thread that calls.
Model train_on_design(const DesignData& data, const TrainOptions& options,
                      const ProgressCallback& progress = {});

}  // namespace ardent
