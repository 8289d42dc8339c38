// What every kind of model has: the task, the schema of the data, the parts with their posteriors.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ardent/data/dataset.h"
#include "ardent/data/scaling.h"
#include "ardent/inference/posterior.h"

namespace ardent {

enum class Task { classification, regression };
std::string_view task_name(Task task);

/// One linear predictor: positive means class `positive`, negative `negative` (−1: all the rest).
/// A regression model has one part, with neither; a dictionary model has none.
struct Part {
  Index positive = -1;
  Index negative = -1;
  Posterior posterior;  // active refers to the model's basis functions
  Report report;        // without its timings: they are not part of the model
};

struct ModelFrame {
  Task task = Task::classification;
  Index features = 0;                      // columns of the training data
  std::vector<Index> inputs;               // columns that are used, ascending
  std::vector<std::string> feature_names;  // of the inputs; empty if the data had none
  Scaling scaling;                         // of the inputs
  ClassTable classes;                      // classification
  std::string label_name;                  // of the CSV column; may be empty
  TableLayout layout = {};                 // of the table that the columns were made of
  /// How Python held the labels ("|b1", "<f8"), where the classes alone do not say so; else empty.
  std::string label_type;
  std::vector<Part> parts;
  std::map<std::string, std::string> options;  // how it was trained, by option name
  Index total = 0;                             // candidates that each part had
  double temperature = 1;  // of the probabilities of more than two classes (combine.h)
};

/// Weights that the posteriors keep, averaged over parts.
double mean_posterior_size(const ModelFrame& model);
/// Sum of the parts' log evidence.
double log_evidence(const ModelFrame& model);

}  // namespace ardent
