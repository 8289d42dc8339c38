// A model whose weights the evidence chose: each part's predictor is f(x) = Σ_k w_k phi_k(x) + bias
// over the basis functions of one feature map, with a Gaussian posterior of w.
#pragma once

#include <string>
#include <vector>

#include "ardent/maps/linear.h"

namespace ardent {

class ArrayFile;
class ModelRows;
struct Model;
struct PredictOptions;
struct Prediction;

struct EvidenceModel {
  MapPointer map = std::make_shared<LinearMap>();  // restricted to what some part keeps

  std::string_view map_name() const { return map->name(); }
  const std::vector<Index>& origins() const { return map->origin(); }
  /// The option that says how it was fitted.
  std::string_view method_option() const { return "engine"; }
  std::string describe_fit(const Model& model) const;
  Prediction predict(const Model& model, const ModelRows& rows,
                     const PredictOptions& options) const;
  void check(const Model& model) const;
  void save(const Model& model, ArrayFileWriter& file) const;
  /// `model`: its inputs and parts are known.
  static EvidenceModel load(const ArrayFile& file, const Model& model);
};

}  // namespace ardent
