// What a prediction says, and how it may be asked for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ardent/base/types.h"

namespace ardent {

struct Prediction {
  std::vector<std::uint32_t> classes;  // classification: index into model.classes
  Matrix probabilities;                // classification: rows × classes, rows sum to 1; empty
                                       // where they were not asked for
  Vector mean;                         // regression
  Vector variance;                     // regression: of a new observation, noise included; empty
                                       // where it was not asked for
  double active = 0;                   // map dictionary: atoms in a code, on average
  std::vector<std::string> warnings = {};
};

struct PredictOptions {
  // For two classes the default is the posterior's average of σ, for more the coupling of σ(mean):
  // averages are too cautious once coupled (docs/algorithms.md). These ask for one of the two
  // whatever the number of classes.
  bool moderated = false;
  // σ(mean) instead of the posterior's average of σ. Always so where a part has no
  // joint covariance: with variances alone, correlated weights make every row look uncertain.
  bool plug_in = false;
  // Regression: false leaves the variance out, which costs more than the mean.
  bool variance = true;
  // Two classes: false leaves the probabilities out, which cost more than the classes.
  bool probabilities = true;
};

}  // namespace ardent
