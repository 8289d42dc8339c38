// How a model does on labelled rows, and how training does under cross-validation.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ardent/base/task_farm.h"
#include "ardent/data/folds.h"
#include "ardent/estimators/metrics.h"
#include "ardent/estimators/trainer.h"
#include "ardent/estimators/training_set.h"
#include "ardent/maps/shared_distances.h"
#include "ardent/model/predict.h"

namespace ardent {

struct Evaluation {
  Task task = Task::classification;
  ClassificationMetrics classification;
  RegressionMetrics regression;
  Index rows = 0;
  double active = 0;  // weights kept, mean over the model's parts; map dictionary: atoms in a code
  double total = 0;   // candidate basis functions
  double evidence = 0;  // log evidence, summed over parts
  double seconds = 0;   // of prediction; under cross-validation, of training and prediction
  std::vector<std::string> warnings = {};
};

/// Every scalar by its name in reports: accuracy …, or rmse …, then active, total, evidence,
/// seconds.
std::vector<std::pair<std::string, double>> scalars(const Evaluation& evaluation);

/// Data without labels, or with labels the model does not know, are an InputError.
Evaluation evaluate(const Model& model, const Dataset& data, const PredictOptions& options = {});

/// The folds of a data set, drawn once for all trainings that are to be compared. The task is
/// settled on all rows: a fold must not take another one for its few labels.
struct FoldPlan {
  Task task = Task::classification;
  ClassTable classes;  // of all rows; classification
  std::vector<Split> splits;
};

/// Stratified for classification; `task` as in TrainOptions.
FoldPlan plan_folds(const Dataset& data, const std::string& task, Index folds,
                    std::uint64_t fold_seed);

/// Trains on a fold's training rows and evaluates on its test rows. Scaling and all else are fitted
/// on the training rows. `distances`: among these training rows, for trainings that share them.
Evaluation evaluate_fold(const Dataset& data, const FoldPlan& plan, Index fold,
                         const TrainOptions& options, const PredictOptions& predict_options,
                         SharedDistances* distances = nullptr);

/// k-fold cross-validation, stratified for classification; folds run in parallel, in the
/// processes of the farm if there is one.
std::vector<Evaluation> cross_validate(const Dataset& data, const TrainOptions& options,
                                       Index folds, std::uint64_t fold_seed,
                                       const PredictOptions& predict_options = {},
                                       const ProgressCallback& progress = {},
                                       TaskFarm* farm = nullptr);

/// Each scalar's name with its value in every fold.
using NamedValues = std::vector<std::pair<std::string, std::vector<double>>>;
NamedValues by_name(std::span<const Evaluation> evaluations);

struct Summary {
  double mean = 0;
  double sd = 0;  // sample standard deviation over folds
};
Summary summarise(std::span<const double> values);

}  // namespace ardent
