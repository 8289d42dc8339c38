// Kernel distances that the points of a grid share.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ardent/estimators/train_options.h"
#include "ardent/maps/shared_distances.h"

namespace ardent {

/// Kernel distances by fold and what scales the rows, where at least two points would use them.
class DistanceCache {
 public:
  DistanceCache(const std::vector<TrainOptions>& options, std::span<const Index> points, Index runs,
                std::size_t bytes) {
    std::map<std::string, Index> users;
    for (const Index p : points) {
      const TrainOptions& mine = options[p];
      const MapEntry* map = find_map(mine.map);
      if (map && map->uses_distances) ++users[scaling_of(mine)];
    }
    std::erase_if(users, [](const auto& user) { return user.second < 2; });
    const auto shares = static_cast<std::size_t>(runs) * users.size();
    for (const auto& [scale, count] : users) {
      for (Index run = 0; run < runs; ++run) {
        shared_[{run, scale}] = std::make_unique<SharedDistances>(bytes / shares);
      }
    }
  }

  SharedDistances* of(Index run, const TrainOptions& options) const {
    const auto found = shared_.find({run, scaling_of(options)});
    return found == shared_.end() ? nullptr : found->second.get();
  }

 private:
  static std::string scaling_of(const TrainOptions& options) {
    return options.scale + ' ' + options.widths;
  }

  std::map<std::pair<Index, std::string>, std::unique_ptr<SharedDistances>> shared_;
};

}  // namespace ardent
