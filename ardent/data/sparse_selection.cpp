#include "ardent/data/sparse_selection.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "ardent/base/index_range.h"
#include "ardent/base/memory_limit.h"
#include "ardent/data/build_sparse.h"

namespace ardent {
namespace {

constexpr std::uint32_t kDropped = std::numeric_limits<std::uint32_t>::max();

/// Where each of `count` columns goes.
std::vector<std::uint32_t> places_of(std::span<const Index> which, Index count) {
  std::vector<std::uint32_t> place(static_cast<std::size_t>(count), kDropped);
  for (std::uint32_t k = 0; k < which.size(); ++k) place[static_cast<std::size_t>(which[k])] = k;
  return place;
}

/// Rows of these columns; of all of them where there are no places.
SparseRows copy(const ReadEntries& from, std::span<const Index> which_rows,
                const std::vector<std::uint32_t>& place, Index col_count) {
  const SparseRows& stored = from.stored;
  return build_sparse(std::ssize(which_rows), col_count, [&](Index i, auto take) {
    const Index row = which_rows[static_cast<std::size_t>(i)];
    release_before(stored, row);
    for (std::uint64_t e = stored.offsets[row]; e < stored.offsets[row + 1]; ++e) {
      const std::uint32_t column = stored.columns[e], k = place.empty() ? column : place[column];
      if (k != kDropped) take(k, from.value(row, e));
    }
  });
}

/// EntryScale::of for every entry, without its questions.
template <bool transposed, bool lengths>
void scale_values(const ReadEntries& entries, Index begin, Index end, float* out) {
  const std::uint64_t* const offsets = entries.stored.offsets.data();
  const std::uint32_t* const columns = entries.stored.columns.data();
  const float* const values = entries.stored.values.data();
  const double* const factor = entries.scale->by_column.data();
  const double* const length = entries.scale->row_lengths.data();
  for (Index i = begin; i < end; ++i) {
    for (std::uint64_t e = offsets[i]; e < offsets[i + 1]; ++e) {
      const Index other = columns[e];
      double x = static_cast<double>(values[e]) * factor[transposed ? i : other];
      if constexpr (lengths) x /= length[transposed ? other : i];
      *out++ = static_cast<float>(x);
    }
  }
}

}  // namespace

std::uint64_t accumulate_offsets(Buffer<std::uint64_t>& offsets) {
  std::uint64_t* total = offsets.mutable_data();
  total[0] = 0;
  std::partial_sum(total, total + offsets.size(), total);
  return total[offsets.size() - 1];
}

void release_before(const SparseRows& sparse, Index row) {
  constexpr int kShift = 16;  // every 64 thousand entries
  if (memory_limit() == 0) return;
  const std::uint64_t begin = sparse.offsets[row], piece = begin >> kShift;
  if (piece == 0 || piece == sparse.offsets[row + 1] >> kShift) return;
  const std::uint64_t first = (piece - 1) << kShift, count = begin - first;
  release_pages(sparse.columns.data() + first, count * sizeof(std::uint32_t));
  release_pages(sparse.values.data() + first, count * sizeof(float));
}

void ReadEntries::read(Index begin, Index end, float* out) const {
  if (!scale) {
    const std::uint64_t first = stored.offsets[begin];
    std::copy_n(stored.values.data() + first, stored.offsets[end] - first, out);
  } else if (transposed) {
    const bool lengths = scale->row_lengths.size() > 0;
    lengths ? scale_values<true, true>(*this, begin, end, out)
            : scale_values<true, false>(*this, begin, end, out);
  } else {
    const bool lengths = scale->row_lengths.size() > 0;
    lengths ? scale_values<false, true>(*this, begin, end, out)
            : scale_values<false, false>(*this, begin, end, out);
  }
}

SparseRows copy_rows(const ReadEntries& from, std::span<const Index> which) {
  return copy(from, which, {}, from.stored.cols);
}

SparseRows copy_columns(const ReadEntries& from, std::span<const Index> which) {
  return copy(from, index_range(0, from.stored.rows), places_of(which, from.stored.cols),
              std::ssize(which));
}

SparseRows copy_rows(const StreamedRows& from, std::span<const Index> which) {
  const ReadEntries entries{from.stored, from.scale.get()};
  if (from.kept.empty()) return copy_rows(entries, which);
  return copy(entries, which, places_of(from.kept, from.stored.cols), from.cols);
}

SparseRows copy_columns(const StreamedRows& from, std::span<const Index> which) {
  std::vector<Index> columns(which.begin(), which.end());
  for (Index& k : columns) k = from.kept.empty() ? k : from.kept[static_cast<std::size_t>(k)];
  return copy_columns({from.stored, from.scale.get()}, columns);
}

}  // namespace ardent
