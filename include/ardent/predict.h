// Prediction with a trained model.
#pragma once

#include <string>
#include <vector>

#include "ardent/dataset.h"
#include "ardent/model.h"

namespace ardent::ARDENT_V0 {

struct Prediction {
  std::vector<std::string> labels;  // classification: the most probable class of each row
  Matrix probabilities;             // classification: rows × Model::classes
  std::vector<double> mean;         // regression
  std::vector<double> variance;     // regression: of a new observation, noise included
  std::vector<std::string> warnings;
};

struct PredictOptions {
  bool moderated = false;  // the posterior's average of σ, however many classes there are
  bool plug_in = false;    // σ of the mean instead
};

/// Columns are found by name where data and model have names, else by position; data that do not
/// fit the model are an InputError.
Prediction predict(const Model& model, const Dataset& data, const PredictOptions& options = {});
Prediction predict(const Model& model, const Matrix& rows, const PredictOptions& options = {});
/// A single row.
template <VectorLike V>
Prediction predict_row(const Model& model, const V& row, const PredictOptions& options = {}) {
  Matrix rows(1, static_cast<Index>(row.size()));
  for (Index j = 0; j < rows.cols(); ++j) {
    rows(0, j) = static_cast<double>(row[static_cast<std::size_t>(j)]);
  }
  return predict(model, rows, options);
}

/// A file read as this model's data were: label column, words and missing values as in training;
/// labels may be absent.
Dataset read_dataset_for(const Model& model, const std::string& path,
                         const ReadOptions& options = {});

}  // namespace ardent::ARDENT_V0
