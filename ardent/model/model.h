// Model: what was learnt, and the schema of the data. All that prediction needs, and nothing else.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "ardent/data/dataset.h"
#include "ardent/data/scaling.h"
#include "ardent/inference/posterior.h"
#include "ardent/model/dictionary_model.h"
#include "ardent/model/evidence_model.h"
#include "ardent/model/mask_model.h"

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

struct Model {
  Task task = Task::classification;
  Index features = 0;                      // columns of the training data
  std::vector<Index> inputs;               // columns that are used, ascending
  std::vector<std::string> feature_names;  // of the inputs; empty if the data had none
  Scaling scaling;                         // of the inputs
  ClassTable classes;                      // classification
  std::string label_name;                  // of the CSV column; may be empty
  /// Each kind predicts, describes, checks, saves and loads itself, by functions of the same names.
  std::variant<EvidenceModel, MaskModel, DictionaryModel> kind;
  std::vector<Part> parts;
  std::map<std::string, std::string> options;  // how it was trained, by option name

  Index total = 0;  // candidates that each part had
};

/// The names that the option `map` takes.
std::vector<std::string> map_names();
std::string_view map_name(const Model& model);
/// Basis function k is input k.
bool is_linear(const Model& model);
/// Which feature, training row or hidden node each basis function came from.
const std::vector<Index>& origin(const Model& model);
/// Numbers that belong to all basis functions, by name: {"sigma", 4}.
std::vector<std::pair<std::string, double>> map_parameters(const Model& model);
/// What basis function k is, in the user's words.
std::string basis_name(const Model& model, Index k);

/// Weights kept (mask models: on average over draws), averaged over parts: what sparsity means in
/// the tables.
double mean_active(const Model& model);
/// Sum of the parts' log evidence.
double log_evidence(const Model& model);
/// Status, stages, evidence, kept counts, in a line.
std::string describe_fit(const Model& model);

}  // namespace ardent
