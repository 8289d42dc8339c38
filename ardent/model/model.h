// Model: feature map + posterior + schema. All that prediction needs, and nothing else.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ardent/data/dataset.h"
#include "ardent/data/scaling.h"
#include "ardent/inference/coding/reweighted_l1.h"
#include "ardent/inference/posterior.h"

namespace ardent {

enum class Task { classification, regression };
enum class MapKind { linear, rbf, elm, doubly_sparse, dictionary };
std::string_view task_name(Task task);
std::string_view map_name(MapKind kind);
MapKind parse_map(std::string_view name);

/// The basis functions that survive. Inputs are the scaled features `inputs` of Model.
///   linear  phi_k(x) = x_k                        basis k is input k; nothing is stored
///   rbf     phi_k(x) = exp(−‖x − z_k‖²/sigma²)    centres: z_k as rows
///   elm     phi_k(x) = 1/(1 + exp(−a_kᵀx − b_k))  hidden_weights: a_k as rows; hidden_biases: b_k
///   doubly_sparse  kernels of the parts' draws     centres: those of all draws, dense
///   dictionary     no weights: rows are coded over the centres (dictionary_classes.h); no parts
struct Basis {
  MapKind kind = MapKind::linear;
  double sigma = 1;                              // rbf
  Features centres = DenseRows{};                // rbf, doubly_sparse, dictionary
  DenseRows hidden_weights;                      // elm
  std::vector<double> hidden_biases;             // elm
  std::vector<std::uint32_t> atom_classes = {};  // dictionary: of each centre
  CodeOptions coding = {};                       // dictionary
  double sharpness = 0;       // dictionary: c of the vote `residual`; 0: the vote `coefficients`
  std::vector<Index> origin;  // which feature, training row or hidden node each came from
};

/// One sampled state of a doubly sparse model: which inputs and which centres are in it.
///   f(x) = bias + Σ_j weights_j exp(−delta Σ_{k in inputs} (x_k − z_jk)²), z_j the j-th of centres
struct KernelDraw {
  std::vector<Index> inputs;   // positions among the model's inputs, ascending
  std::vector<Index> centres;  // rows of the basis' centres
  Vector weights;              // one a centre
  double bias = 0;
  double delta = 1;
  double noise_variance = 0;  // regression
};

/// One linear predictor: positive means class `positive`, negative `negative` (−1: all the rest).
/// A regression model has one part, with neither.
struct Part {
  Index positive = -1;
  Index negative = -1;
  Posterior posterior;  // active refers to the model's basis functions
  Report report;        // without its timings: they are not part of the model
  /// doubly_sparse: predictions are averages over these; the posterior then holds, for each centre
  /// in any draw, mean and variance of its weight over draws and, as gamma, how often it was in.
  std::vector<KernelDraw> draws = {};
  std::vector<double> inclusion = {};  // doubly_sparse: inclusion probability of each input
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

/// Weights kept (doubly_sparse: on average over draws), averaged over parts: what sparsity means in
/// the tables.
double mean_active(const Model& model);
/// Sum of the parts' log evidence.
double log_evidence(const Model& model);

/// Basis functions of the model: linear, its inputs; rbf, its centres; elm, its hidden nodes.
Index basis_size(const Model& model);

}  // namespace ardent
