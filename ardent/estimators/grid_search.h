// Model selection: every point of a grid of options is scored, and the best one picked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ardent/base/task_farm.h"
#include "ardent/estimators/evaluation.h"
#include "ardent/estimators/grid_spec.h"

namespace ardent {

struct GridOptions {
  Index folds = 5;              // >= 2; the same folds for every point
  std::uint64_t fold_seed = 1;  // of the folds, whatever the grid says of `seed`
  /// By what the best is picked: accuracy|log_loss|evidence for classification, rmse|r2|nlpd|
  /// evidence for regression, means over folds; auto: accuracy, rmse. evidence needs no folds: each
  /// point is fitted once to all rows.
  std::string pick = "auto";
  std::string journal = "";  // file in which finished points are kept, and found again; empty: none
  /// Kernel distances kept for points that differ in sigma alone; 0: none. The results are the
  /// same.
  std::size_t distance_bytes = std::size_t{2} << 30;
  PredictOptions predict = {};
  /// Where several processes share the fits; null: this one is alone. Results and journal are the
  /// leading process's; the others' are empty.
  TaskFarm* farm = nullptr;
};

/// One point's scores: every scalar of an Evaluation with its value in each fold; for pick evidence
/// active, total, evidence and seconds of the one fit.
struct GridPoint {
  std::vector<std::string> values;  // one an axis
  NamedValues scores;
};

struct GridResult {
  Task task = Task::classification;
  std::string pick;  // never auto
  std::vector<GridPoint> points;
  Index best = 0;     // ties: the fewer active weights, then the first
  Index resumed = 0;  // points that were taken from the journal
};

/// The mean of a point's score over its folds.
double mean_score(const GridPoint& point, const std::string& name);

/// Points and folds run in parallel; results do not depend on the number of threads. Progress
/// counts fits; a callback that returns false ends the search with an Error, the journal kept. A
/// point that cannot be trained ends it too, with a message that names the point.
GridResult grid_search(const Dataset& data, const Grid& grid, const TrainOptions& base,
                       const GridOptions& options = {}, const ProgressCallback& progress = {});

}  // namespace ardent
