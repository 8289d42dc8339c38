// What was learnt, with the schema of the data: all that prediction needs.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ardent/index.h"
#include "ardent/options.h"

namespace ardent::ARDENT_V0 {

/// A basis function that the evidence kept.
struct Weight {
  std::string name;  // the feature's, or "training row 7"
  Index origin = 0;  // which feature, training row or hidden node, from 0
  double mean = 0;
  double sd = 0;
  double relevance = 0;  // in [0, 1]: how far the data fix it
};

/// One predictor: of a regression, of two classes, or of a pair of more.
struct Part {
  std::string positive, negative;  // classes; of a regression and of "the rest" empty
  std::vector<Weight> weights;
  double bias = 0;
  double noise_variance = 0;  // regression
  double log_evidence = 0;
  std::string status;  // of the fit: "converged"
};

/// Copying shares the model, which does not change.
class Model {
 public:
  Task task() const;
  std::string map() const;
  /// Columns of the training data.
  Index features() const;
  /// In the order of Prediction::probabilities; empty for a regression.
  std::vector<std::string> classes() const;
  const std::vector<Part>& parts() const;
  /// Weights kept, averaged over parts, and how many there were to choose from.
  double kept() const;
  Index candidates() const;
  double log_evidence() const;
  /// How it was trained, by option name.
  OptionTexts options() const;
  /// Status, stages, evidence and kept counts, in a line.
  std::string summary() const;

  struct Held;  // the library's own
  explicit Model(std::shared_ptr<const Held> held) : held_(std::move(held)) {}
  const Held& held() const { return *held_; }

 private:
  std::shared_ptr<const Held> held_;
};

/// The same model gives the same bytes; the file appears whole or not at all.
void save_model(const Model& model, const std::string& path);
/// A damaged or foreign file is an InputError that says what is wrong.
Model load_model(const std::string& path);

}  // namespace ardent::ARDENT_V0
