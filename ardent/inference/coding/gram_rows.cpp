#include "ardent/inference/coding/gram_rows.h"

namespace ardent {

std::vector<GramRows::Row> GramRows::rows(std::span<const Index> atoms) {
  std::vector<Row> found(atoms.size());
  std::vector<Index> missing;
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t k = 0; k < atoms.size(); ++k) {
      if (const auto kept = kept_.find(atoms[k]); kept != kept_.end()) {
        by_age_.splice(by_age_.begin(), by_age_, kept->second.age);
        found[k] = kept->second.row;
      } else {
        missing.push_back(atoms[k]);
      }
    }
  }
  if (missing.empty()) return found;
  Matrix values(dictionary_.cols(), std::ssize(missing));
  dictionary_.gram_rows(missing, values);
  const std::lock_guard lock(mutex_);
  computed_ += std::ssize(missing);
  for (std::size_t k = 0, m = 0; k < atoms.size(); ++k) {
    if (found[k]) continue;
    found[k] = std::make_shared<const Vector>(values.col(m++));
    keep(atoms[k], found[k]);
  }
  return found;
}

void GramRows::keep(Index atom, const Row& row) {
  if (kept_.contains(atom)) return;
  const std::size_t bytes = dictionary_.cols() * sizeof(double);
  while (!by_age_.empty() && (kept_.size() + 1) * bytes > limit_bytes_) {
    kept_.erase(by_age_.back());
    by_age_.pop_back();
  }
  if (bytes > limit_bytes_) return;
  by_age_.push_front(atom);
  kept_.emplace(atom, Kept{row, by_age_.begin()});
}

Index GramRows::computed() const {
  const std::lock_guard lock(mutex_);
  return computed_;
}

}  // namespace ardent
