// Copies of some rows and columns of sparse rows.
#pragma once

#include "ardent/data/matrix.h"

namespace ardent {

/// Entries of sparse rows, or of their transpose, with their values as they are read.
struct ReadEntries {
  const SparseRows& stored;
  const EntryScale* scale = nullptr;  // null: as they are stored
  bool transposed = false;            // the rows that are stored are columns of the scale

  float value(Index row, std::uint64_t entry) const {
    const float x = stored.values[entry];
    if (!scale) return x;
    const Index column = stored.columns[entry];
    return transposed ? scale->of(x, column, row) : scale->of(x, row, column);
  }
  /// The values of these rows, one after the other.
  void read(Index begin, Index end, float* out) const;
};

SparseRows copy_rows(const ReadEntries& from, std::span<const Index> which);
/// `which`: ascending.
SparseRows copy_columns(const ReadEntries& from, std::span<const Index> which);
SparseRows copy_rows(const StreamedRows& from, std::span<const Index> which);
SparseRows copy_columns(const StreamedRows& from, std::span<const Index> which);

}  // namespace ardent
