// Predictions of one row at a time, for programs that serve them.
//
//   const ardent::Predictor predictor(ardent::load_model("tumour.model"));
//   double p[2];
//   const ardent::Index best = predictor.classify(row, p);     // predictor.labels()[best]
//
// After construction nothing is allocated (but for the message of an error) and nothing is locked:
// any number of threads may share a Predictor. Scratch is on the stack, 512 KiB at most. Results
// differ from predict()'s by rounding.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ardent/index.h"
#include "ardent/model.h"
#include "ardent/predict.h"

namespace ardent::ARDENT_V0 {

/// Mean and variance of a new observation.
struct RowMoments {
  double mean = 0;
  double variance = 0;
};

/// Copying shares the numbers, which do not change.
class Predictor {
 public:
  /// InputError for a model that is not linear, rbf or elm, or that needs more scratch.
  explicit Predictor(const Model& model, const PredictOptions& options = {});

  /// Numbers of a row.
  Index features() const;
  /// In the order of the probabilities; empty for a regression.
  const std::vector<std::string>& labels() const;

  /// The most probable class. `probabilities`: empty, or one per class, to be filled in. A row of
  /// another length, a number that is not finite (or missing, where the model was not trained with
  /// --missing) and a regression are an InputError.
  Index classify(std::span<const double> row, std::span<double> probabilities = {}) const;
  /// Regression.
  double mean(std::span<const double> row) const;
  RowMoments moments(std::span<const double> row) const;

  struct Held;  // the library's own

 private:
  std::shared_ptr<const Held> held_;
};

}  // namespace ardent::ARDENT_V0
