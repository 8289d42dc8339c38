#include "ardent/maps/shared_distances.h"

namespace ardent {

SharedDistances::Entry* SharedDistances::entry(std::span<const Index> rows) {
  std::vector<Index> key(rows.begin(), rows.end());
  const std::lock_guard lock(mutex_);
  if (const auto found = entries_.find(key); found != entries_.end()) return &found->second;
  const double bytes = static_cast<double>(rows.size()) * static_cast<double>(rows.size()) * 8;
  if (bytes > static_cast<double>(bytes_left_)) return nullptr;
  bytes_left_ -= static_cast<std::size_t>(bytes);
  return &entries_[std::move(key)];  // a map's entries stay where they are
}

std::shared_ptr<const RowSource> SharedDistances::among(std::span<const Index> rows,
                                                        const Features& all) {
  Entry* const mine = entry(rows);
  if (!mine) return nullptr;
  // Whoever comes first computes; others that want the same rows wait for it.
  const std::lock_guard lock(mine->mutex);
  if (!mine->distances) {
    const Features selected = select_rows(all, rows);
    mine->distances = held_in_memory(squared_distances(selected, selected));
  }
  return mine->distances;
}

}  // namespace ardent
