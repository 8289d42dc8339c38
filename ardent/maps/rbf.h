// The Gaussian kernel between rows and centres: phi_k(x) = exp(−‖x − z_k‖² / σ²).
#pragma once

#include "ardent/design/lazy.h"
#include "ardent/design/squared_distances.h"
#include "ardent/maps/feature_map.h"

namespace ardent {

/// Rows and centres may each be dense or sparse. In memory where N×M doubles fit `memory_limit`
/// bytes, computed at each use otherwise. σ > 0, finite.
std::unique_ptr<Design> gaussian_kernel_design(const Features& rows, const Features& centres,
                                               double sigma,
                                               std::size_t memory_limit = kMaterialiseLimitBytes);

/// The same from squared distances, which kernels of other widths may share; the same bits where
/// the design is in memory.
std::unique_ptr<Design> gaussian_kernel_design(std::shared_ptr<const RowSource> distances,
                                               double sigma,
                                               std::size_t memory_limit = kMaterialiseLimitBytes);

/// Twice the median distance between distinct rows, from at most 1,000 evenly spaced ones; 1 if
/// that is 0.
double automatic_sigma(const Features& rows);

/// Built of training rows, every row is a centre; the candidates of a problem are its own rows,
/// each once however often it is given. Of more rows than `MapOptions::centres` so many are
/// candidates, evenly spaced in the order of their contents (repeated_rows.h): the rows' order has
/// no part in it. Kernels of neighbours are much alike, so that little is lost; and time and memory
/// grow as the rows do, not as their square.
class RbfMap : public FeatureMap {
 public:
  static constexpr std::string_view kName = "rbf";
  static constexpr std::string_view kHelp =
      "phi_k(x) = exp(-|x - x_k|^2/sigma^2) on the training rows x_k (relevance vector machine)";

  /// `rows`: which training rows the centres are.
  RbfMap(Features centres, double sigma, std::vector<Index> rows)
      : FeatureMap(std::move(rows)), centres_(std::move(centres)), sigma_(sigma) {}
  static MapPointer build(const MapRows& rows, const MapOptions& options);
  static MapPointer load(const Container& file, std::vector<Index> origin, Index inputs);

  const Features& centres() const { return centres_; }
  double sigma() const { return sigma_; }

  std::string_view name() const override { return kName; }
  std::string_view noun() const override { return "training row"; }
  std::vector<std::pair<std::string, double>> parameters() const override {
    return {{"sigma", sigma_}};
  }
  std::unique_ptr<Design> design(const Features& rows) const override {
    return gaussian_kernel_design(rows, centres_, sigma_);
  }
  MapPointer restricted(std::span<const Index> kept) const override;
  std::vector<Index> candidates(std::span<const Index> rows) const override;
  std::unique_ptr<Design> training_design(const Features& scaled,
                                          std::span<const Index> rows) const override;
  std::unique_ptr<Design> design_for_device(const Features& scaled,
                                            std::span<const Index> rows) const override;
  void save(ContainerWriter& file) const override;
  void check(Index inputs) const override;

 private:
  /// Positions among `rows` of the candidates: no copies of an earlier one, and not too many.
  std::vector<Index> chosen(std::span<const Index> rows) const;

  bool is_copy(Index row) const { return !first_copy_.empty() && first_copy_[row] != row; }

  Features centres_;
  double sigma_;
  std::vector<Index> first_copy_;         // of each training row; empty: none is given twice
  Index most_ = 0;                        // candidates of a problem; 0: all
  std::vector<Index> ranks_;              // of the training rows, by contents; empty: not needed
  SharedDistances* distances_ = nullptr;  // among the training rows; may be null
};

}  // namespace ardent
