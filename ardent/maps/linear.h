// The linear map: phi_k(x) = x_k. Phi is the features themselves.
#pragma once

#include "ardent/maps/feature_map.h"

namespace ardent {

/// A DenseDesign of dense features (copied to column-major), a SparseDesign of sparse ones
/// (shared).
std::unique_ptr<Design> linear_design(const Features& features);

class LinearMap : public FeatureMap {
 public:
  static constexpr std::string_view kName = "linear";
  static constexpr std::string_view kHelp = "phi_k(x) = x_k";

  /// `columns`: where the inputs are in the data.
  explicit LinearMap(std::vector<Index> columns = {}) : FeatureMap(std::move(columns)) {}
  static MapPointer build(const MapRows& rows, const MapOptions& options);
  static MapPointer load(const Container& file, std::vector<Index> origin, Index inputs);

  std::string_view name() const override { return kName; }
  std::string_view noun() const override { return "feature"; }
  bool linear() const override { return true; }
  std::unique_ptr<Design> design(const Features& rows) const override {
    return linear_design(rows);
  }
  Matrix values(const Features& rows) const override { return dense_matrix(rows); }
  MapPointer restricted(std::span<const Index> kept) const override;
  void save(ContainerWriter&) const override {}
  void check(Index inputs) const override;
};

}  // namespace ardent
