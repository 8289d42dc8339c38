// Model: what was learnt, and the schema of the data. All that prediction needs, and nothing else.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "ardent/model/dictionary_model.h"
#include "ardent/model/doubly_sparse_model.h"
#include "ardent/model/evidence_model.h"
#include "ardent/model/model_frame.h"

namespace ardent {

/// Each kind predicts, describes, checks, saves and loads itself, by functions of the same names.
struct Model : ModelFrame {
  std::variant<EvidenceModel, DoublySparseModel, DictionaryModel> kind;
};

/// The names that the option `map` takes.
std::vector<std::string> map_names();
/// What it says of them.
std::string map_help();
std::string_view map_name(const Model& model);
/// Basis function k is input k.
bool is_linear(const Model& model);
/// Which feature, training row or hidden node each basis function came from.
const std::vector<Index>& origin(const Model& model);
/// Numbers that belong to all basis functions, by name: {"sigma", 4}.
std::vector<std::pair<std::string, double>> map_parameters(const Model& model);
/// What basis function k is, in the user's words.
std::string basis_name(const Model& model, Index k);

/// Weights kept (doubly sparse models: on average over draws), averaged over parts: what sparsity
/// means in the tables.
double mean_active(const Model& model);
/// Status, stages, evidence, kept counts, in a line.
std::string describe_fit(const Model& model);

}  // namespace ardent
