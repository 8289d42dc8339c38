// Model: feature map + posterior + schema. All that prediction needs, and nothing else.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ardent/data/dataset.h"
#include "ardent/data/scaling.h"
#include "ardent/inference/posterior.h"

namespace ardent {

enum class Task { classification, regression };
enum class MapKind { linear, rbf, elm };
std::string_view task_name(Task task);
std::string_view map_name(MapKind kind);
MapKind parse_map(std::string_view name);

/// The basis functions that survive. Inputs are the scaled features `inputs` of Model.
///   linear  phi_k(x) = x_k                        basis k is input k; nothing is stored
///   rbf     phi_k(x) = exp(−‖x − z_k‖²/sigma²)    centres: z_k as rows
///   elm     phi_k(x) = 1/(1 + exp(−a_kᵀx − b_k))  hidden_weights: a_k as rows; hidden_biases: b_k
struct Basis {
  MapKind kind = MapKind::linear;
  double sigma = 1;                   // rbf
  Features centres = DenseRows{};     // rbf
  DenseRows hidden_weights;           // elm
  std::vector<double> hidden_biases;  // elm
  std::vector<Index> origin;          // which feature, training row or hidden node each came from
};

/// One linear predictor: positive means class `positive`, negative `negative` (−1: all the rest).
/// A regression model has one part, with neither.
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
  Basis basis;
  std::vector<Part> parts;
  std::map<std::string, std::string> options;  // how it was trained, by option name

  Index total = 0;  // basis functions offered to each part
};

/// Weights kept, averaged over parts: what sparsity means in the tables.
double mean_active(const Model& model);
/// Sum of the parts' log evidence.
double log_evidence(const Model& model);

}  // namespace ardent
