// A hidden layer of sigmoid nodes with random weights (an extreme learning machine):
// phi_k(x) = 1 / (1 + exp(−a_kᵀx − b_k)).
#pragma once

#include "ardent/design/lazy.h"
#include "ardent/maps/feature_map.h"

namespace ardent {

struct HiddenLayer {
  DenseRows weights;  // L×P, row k is a_k
  std::vector<double> biases;
};

/// a ~ U[−1, 1]/√P and b ~ U[−1, 1], node by node: the first L nodes of a seed are the same
/// whatever their number. With P features in [−1, 1], aᵀx of the published a ~ U[−1, 1] grows as
/// √P, and in hundreds of dimensions nearly every node is 0 or 1 in every row.
enum class HiddenWeights { scaled, published };
HiddenLayer draw_hidden_layer(Index nodes, Index features, std::uint64_t seed,
                              HiddenWeights kind = HiddenWeights::scaled);

/// In memory where N×L doubles fit `memory_limit` bytes, computed at each use otherwise.
std::unique_ptr<Design> hidden_layer_design(const Features& rows, const DenseRows& weights,
                                            const std::vector<double>& biases,
                                            std::size_t memory_limit = kMaterialiseLimitBytes);

class ElmMap : public FeatureMap {
 public:
  static constexpr std::string_view kName = "elm";
  static constexpr std::string_view kHelp =
      "phi_k(x) = 1/(1 + exp(-a_k.x - b_k)) with random a, b (sparse Bayesian extreme learning "
      "machine)";

  ElmMap(HiddenLayer layer, std::vector<Index> nodes)
      : FeatureMap(std::move(nodes)), layer_(std::move(layer)) {}
  static MapPointer build(const MapRows& rows, const MapOptions& options);
  static MapPointer load(const Container& file, std::vector<Index> origin, Index inputs);

  const HiddenLayer& layer() const { return layer_; }

  std::string_view name() const override { return kName; }
  std::string_view noun() const override { return "hidden node"; }
  std::unique_ptr<Design> design(const Features& rows) const override {
    return hidden_layer_design(rows, layer_.weights, layer_.biases);
  }
  MapPointer restricted(std::span<const Index> kept) const override;
  void save(ContainerWriter& file) const override;
  void check(Index inputs) const override;

 private:
  HiddenLayer layer_;
};

}  // namespace ardent
