#include "ardent/maps/feature_map.h"

#include "ardent/base/index_range.h"

namespace ardent {

Matrix FeatureMap::values(const Features& rows) const {
  return size() == 0 ? Matrix(ardent::rows(rows), 0)
                     : design(rows)->columns(index_range(0, size()));
}

std::vector<Index> FeatureMap::candidates(std::span<const Index>) const {
  return index_range(0, size());
}

std::unique_ptr<Design> FeatureMap::training_design(const Features& scaled,
                                                    std::span<const Index> rows) const {
  return restricted(candidates(rows))->design(take_rows(scaled, rows));
}

std::unique_ptr<Design> FeatureMap::design_for_device(const Features& scaled,
                                                      std::span<const Index> rows) const {
  return training_design(scaled, rows);
}

std::vector<Index> FeatureMap::origin_of(std::span<const Index> kept) const {
  std::vector<Index> origins;
  for (const Index k : kept) origins.push_back(origin_[k]);
  return origins;
}

Features take_rows(const Features& features, std::span<const Index> rows) {
  return std::ssize(rows) == ardent::rows(features) ? features : select_rows(features, rows);
}

}  // namespace ardent
