// A model whose weights the evidence chose: each part's predictor is f(x) = Σ_k w_k phi_k(x) + bias
// over the basis functions of one feature map, with a Gaussian posterior of w.
#pragma once

#include <string>
#include <vector>

#include "ardent/maps/linear.h"

namespace ardent {

class Container;
class ContainerWriter;
class Augmentation;
class ModelRows;
struct Latent;
struct ModelFrame;
struct PredictOptions;
struct Prediction;
struct Posterior;

struct EvidenceModel {
  MapPointer map = std::make_shared<LinearMap>();              // restricted to what some part keeps
  std::shared_ptr<const Augmentation> augmentation = nullptr;  // rbf regression; null: none

  /// Numbers that prediction computes for a row.
  Index values_per_row() const;
  std::string_view map_name() const { return map->name(); }
  const std::vector<Index>& origins() const { return map->origin(); }
  /// The option that says how it was fitted.
  std::string_view method_option() const { return "engine"; }
  /// Weights kept, averaged over parts.
  double mean_active(const ModelFrame& model) const;
  std::string describe_fit(const ModelFrame& model) const;
  Prediction predict(const ModelFrame& model, const ModelRows& rows,
                     const PredictOptions& options) const;
  /// Where a part has no joint covariance, the variances of its weights stand for it.
  Latent latent(const ModelFrame& model, const ModelRows& rows) const;
  void check(const ModelFrame& model) const;
  void save(const ModelFrame& model, ContainerWriter& file) const;
  /// `model`: its inputs and parts are known.
  static EvidenceModel load(const Container& file, const ModelFrame& model);
};

/// φᵀΣφ of each row of phi, whose columns are those of the posterior.
Vector row_variances(const Posterior& posterior, const Matrix& phi);

}  // namespace ardent
