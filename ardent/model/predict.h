// Prediction: rows → the model's map restricted to its active basis → mean, variance, probability.
#pragma once

#include <vector>

#include "ardent/model/model.h"

namespace ardent {

struct Prediction {
  std::vector<std::uint32_t> classes;  // classification: index into model.classes
  Matrix probabilities;                // classification: rows × classes, rows sum to 1
  Vector mean;                         // regression
  Vector variance;                     // regression: of a new observation, noise included
  double active = 0;                   // map dictionary: atoms in a code, on average
  std::vector<std::string> warnings = {};
};

struct PredictOptions {
  bool plug_in = false;  // probability σ(mean) instead of the posterior's average of σ
};

/// Checks that the data fit the model (columns, names), scales, maps and predicts.
/// Where both have feature names, columns are found by name, in any order. Otherwise data with more
/// columns than the model was trained with are refused unless those are empty; with fewer, the
/// missing ones are zero (sparse data) or refused (dense data).
Prediction predict(const Model& model, const Dataset& data, const PredictOptions& options = {});

/// Probability that integrates the posterior: σ(κ(v) f) with κ(v) = 1/√(1 + πv/8) (MacKay).
double moderated(double mean, double variance);

}  // namespace ardent
