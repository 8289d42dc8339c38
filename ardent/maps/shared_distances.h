// Kernel distances that trainings on the same scaled rows share: those of a grid over sigma.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "ardent/design/squared_distances.h"

namespace ardent {

/// Squared distances among subsets of one set of rows, computed when they are first asked for and
/// kept while they fit a limit. Several threads may ask at once. A design made of them has the same
/// bits as one of its own.
class SharedDistances {
 public:
  explicit SharedDistances(std::size_t limit_bytes) : bytes_left_(limit_bytes) {}

  /// Distances among these rows of `all`, which must be the same at each call; nothing where they
  /// would not fit.
  std::shared_ptr<const RowSource> among(std::span<const Index> rows, const Features& all);

 private:
  struct Entry {
    std::mutex mutex;
    std::shared_ptr<const RowSource> distances;  // empty until computed
  };
  Entry* entry(std::span<const Index> rows);

  std::mutex mutex_;
  std::size_t bytes_left_;
  std::map<std::vector<Index>, Entry> entries_;
};

}  // namespace ardent
