// Rows Φᵀφ_j of the Gram matrix, computed when they are first asked for and kept within a memory
// bound: those used longest ago go first.
//
// A row has the same bits whenever and by whomever it is computed, so that codes do not depend on
// what was kept. Several threads may ask at once; a row that two want at the same time may be
// computed twice.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "ardent/inference/coding/dictionary.h"

namespace ardent {

class GramRows {
 public:
  /// The dictionary must outlive this. Rows in use are not counted twice, but stay in memory as
  /// long as somebody holds them, whatever the bound.
  GramRows(const Dictionary& dictionary, std::size_t limit_bytes)
      : dictionary_(dictionary), limit_bytes_(limit_bytes) {}

  using Row = std::shared_ptr<const Vector>;
  /// Rows of these atoms, in their order; those not available are computed together.
  std::vector<Row> rows(std::span<const Index> atoms);

  const Dictionary& dictionary() const { return dictionary_; }
  /// Rows computed so far, those computed again included.
  Index computed() const;

 private:
  struct Kept {
    Row row;
    std::list<Index>::iterator age;
  };
  void keep(Index atom, const Row& row);

  const Dictionary& dictionary_;
  const std::size_t limit_bytes_;
  mutable std::mutex mutex_;
  std::unordered_map<Index, Kept> kept_;
  std::list<Index> by_age_;  // the latest use first
  Index computed_ = 0;
};

}  // namespace ardent
