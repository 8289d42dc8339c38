// Sparse rows made entry by entry.
#pragma once

#include "ardent/base/parallel.h"
#include "ardent/data/matrix.h"

namespace ardent {

/// offsets[i+1] holds the entries of row i; makes them the running total, and returns the last.
std::uint64_t accumulate_offsets(Buffer<std::uint64_t>& offsets);

/// Now and then, by the row that a loop has come to: entries before it are done with.
void release_before(const SparseRows& sparse, Index row);

/// Copies entries row by row: `visit(i, take)` calls take(column, value) for each entry of new row
/// i. It runs twice, to count and to fill.
template <class Visit>
SparseRows build_sparse(Index row_count, Index col_count, const Visit& visit) {
  constexpr Index kBuiltRowBlock = 1024;
  SparseRows result;
  result.rows = row_count;
  result.cols = col_count;
  result.offsets = Buffer<std::uint64_t>::allocate(row_count + 1);
  std::uint64_t* offsets = result.offsets.mutable_data();
  parallel_blocks(row_count, kBuiltRowBlock, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      std::uint64_t count = 0;
      visit(i, [&](std::uint32_t, float) { ++count; });
      offsets[i + 1] = count;
    }
  });
  const std::uint64_t total = accumulate_offsets(result.offsets);
  result.columns = Buffer<std::uint32_t>::allocate(total);
  result.values = Buffer<float>::allocate(total);
  std::uint32_t* columns = result.columns.mutable_data();
  float* values = result.values.mutable_data();
  parallel_blocks(row_count, kBuiltRowBlock, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      release_before(result, i);
      std::uint64_t next = offsets[i];
      visit(i, [&](std::uint32_t column, float value) {
        columns[next] = column;
        values[next++] = value;
      });
    }
    release_rows(result, begin, end);
  });
  return result;
}

}  // namespace ardent
