// FeatureMap: from scaled inputs x to basis functions phi_k(x), k = 0 … size − 1.
//
// A map is built of the training rows, every basis function a candidate; restricted to what the
// evidence keeps; saved with the model, loaded, and asked for phi of new rows. It does not change.
// A new map is a class in two files of its own, a line in registry.cpp, and its test.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ardent/data/matrix.h"
#include "ardent/design/design.h"

namespace ardent {

class Container;
class ContainerWriter;
class FeatureMap;
class SharedDistances;
using MapPointer = std::shared_ptr<const FeatureMap>;

/// What the options ask of a map.
struct MapOptions {
  double sigma = 0;               // rbf; 0: automatic
  Index centres = 0;              // rbf: candidates of a problem at most; 0: all of its rows
  Index hidden = 0;               // elm
  bool published_hidden = false;  // elm: weights of U[−1, 1], whatever the number of inputs
  std::uint64_t seed = 1;         // elm
};

/// What a map is built of: training rows, scaled, and where rows and columns are in the data.
struct MapRows {
  Features scaled;
  std::vector<Index> rows, columns;
  SharedDistances* distances = nullptr;  // among these rows, for kernels of other widths
};

class FeatureMap {
 public:
  virtual ~FeatureMap() = default;

  virtual std::string_view name() const = 0;
  /// What a basis function is: "training row".
  virtual std::string_view noun() const = 0;
  /// Which feature, training row or hidden node each basis function came from.
  const std::vector<Index>& origin() const { return origin_; }
  Index size() const { return std::ssize(origin_); }
  /// Basis function k is input k: what is not kept is no input either.
  virtual bool linear() const { return false; }
  /// Numbers that belong to all basis functions, by name: {"sigma", 4}.
  virtual std::vector<std::pair<std::string, double>> parameters() const { return {}; }

  /// Phi of these rows.
  virtual std::unique_ptr<Design> design(const Features& rows) const = 0;
  /// The same, rows × size, for prediction.
  virtual Matrix values(const Features& rows) const;
  /// The map of these basis functions alone (ascending).
  virtual MapPointer restricted(std::span<const Index> kept) const = 0;

  /// The candidates of a problem that has these training rows: all, unless the map says otherwise.
  virtual std::vector<Index> candidates(std::span<const Index> rows) const;
  /// Phi of these of the training rows over their candidates.
  virtual std::unique_ptr<Design> training_design(const Features& scaled,
                                                  std::span<const Index> rows) const;

  /// The same for a device that can form a kernel of points itself (inference/accelerator.h): not
  /// in memory here where the map can leave it to the device.
  virtual std::unique_ptr<Design> design_for_device(const Features& scaled,
                                                    std::span<const Index> rows) const;

  /// Everything but name and origin, which the model saves.
  virtual void save(ContainerWriter& file) const = 0;
  /// InputError names the first thing that contradicts another, or a number that is not finite.
  virtual void check(Index inputs) const = 0;

 protected:
  explicit FeatureMap(std::vector<Index> origin) : origin_(std::move(origin)) {}
  std::vector<Index> origin_of(std::span<const Index> kept) const;

 private:
  std::vector<Index> origin_;
};

/// How maps of one name are made.
struct MapEntry {
  std::string_view name, help;
  MapPointer (*build)(const MapRows& rows, const MapOptions& options);
  MapPointer (*load)(const Container& file, std::vector<Index> origin, Index inputs);
  bool uses_distances = false;  // among training rows: a grid's maps may share them
};

std::span<const MapEntry> all_maps();
/// Null where there is none of that name.
const MapEntry* find_map(std::string_view name);

/// Like select_rows, but nothing is copied where that is all of them.
Features take_rows(const Features& features, std::span<const Index> rows);

}  // namespace ardent
