// What every training begins with: the rows that count, task and classes, scaled inputs.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "ardent/base/progress.h"
#include "ardent/estimators/problem.h"
#include "ardent/estimators/train_options.h"
#include "ardent/model/model.h"

namespace ardent {

/// Where trainers differ.
struct TrainingRules {
  ScaleKind automatic_scale = ScaleKind::automatic;  // what --scale auto means
  /// Row weights count nothing, no row and no constant column is left out, and there are no
  /// problems of parts.
  bool everything = false;
};

struct TrainingSet {
  Model model;                    // task, classes, options; inputs and scaling of `scaled`
  Dataset data;                   // the rows that count
  std::vector<Index> rows;        // where they are among the rows given
  Features scaled;                // their inputs, scaled
  std::vector<Problem> problems;  // what the parts are to distinguish
  MapPointer map = nullptr;       // evidence models: every candidate is a basis function
};

/// Rows of weight 0 are left out: they would still stretch a scaling, be centres of kernels, or be
/// a class of their own.
TrainingSet make_training_set(const Dataset& data, const TrainOptions& options,
                              const TrainingRules& rules = {});

/// Progress of several problems at once, reported as one: how many of them are finished or,
/// `joint`, their steps counted together.
class PartProgress {
 public:
  PartProgress(const ProgressCallback& callback, std::size_t parts, bool joint)
      : callback_(callback), parts_(static_cast<Index>(parts)), joint_(joint) {}
  ProgressCallback of(Index part);
  /// One more of them is done.
  void finish_part();

 private:
  const ProgressCallback& callback_;
  Index parts_;
  bool joint_;
  std::mutex mutex_;
  Index done_ = 0;  // steps where they are joint, else parts
};

/// Leaves the model these of its inputs.
void keep_inputs(std::span<const Index> kept, Model& model);
/// Gives the inputs the names that their columns have.
void name_inputs(const std::vector<std::string>& feature_names, Model& model);

}  // namespace ardent
