// What a model's parts are to distinguish: one problem for two classes or a regression, one
// for each pair (or class) of more.
#pragma once

#include <string>
#include <vector>

#include "ardent/data/dataset.h"
#include "ardent/inference/engine.h"
#include "ardent/model/model.h"

namespace ardent {

/// The rows a problem uses and what they should predict.
struct Problem {
  Index positive = -1;  // class of t = 1; −1 for a regression
  Index negative = -1;  // class of t = 0; −1: all the other classes
  std::vector<Index> rows;
  Target target;
};

/// InputError unless there are rows, features, a label for each row, and weights from 0 to
/// kLargestWeight.
void check_training_data(const Dataset& data);

/// `multiclass`: ovo or ovr. Rows count by the data's weights, times the class weights asked for:
/// under `balanced` the two sides of each problem count the same.
std::vector<Problem> class_problems(const Dataset& data, const ClassTable& classes,
                                    const std::string& multiclass, const std::string& class_weight);

/// All rows; labels that are not numbers are an InputError.
Problem regression_problem(const Dataset& data);

/// classification or regression, by options.task or, for auto, by the labels.
Task resolve_task(const Labels& labels, const std::string& task);

}  // namespace ardent
