// The transpose of compressed sparse rows, by counting: each block of rows counts its entries per
// column, running totals over columns and blocks tell every block where its entries of a column
// start, and the blocks then place their entries without meeting each other. Two passes over the
// entries; the answer is unique, so it cannot depend on the order in which blocks are run.
#include <fmt/format.h>

#include <limits>
#include <utility>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/data/matrix.h"

namespace ardent {
namespace {

constexpr Index kMostBlocks = 16;
constexpr Index kColumnBlock = 16384;

/// The work of one transposition. counts[b * cols + k] is first the number of block b's entries in
/// column k, then how many entries of column k stand before the next one that block b will place.
struct Transposition {
  const SparseRows& from;
  std::vector<Index> bounds;
  Index blocks;
  Buffer<std::uint32_t> counts;
  SparseRows to;

  explicit Transposition(const SparseRows& sparse)
      : from(sparse),
        bounds(balanced_row_blocks(sparse, kMostBlocks)),
        blocks(static_cast<Index>(bounds.size()) - 1),
        counts(Buffer<std::uint32_t>::allocate(static_cast<std::size_t>(blocks * sparse.cols))) {
    to.rows = from.cols;
    to.cols = from.rows;
  }

  /// Calls visit(row, entry, column's counter) for the entries of block b in order.
  template <class Visit>
  void each_entry(Index b, const Visit& visit) {
    std::uint32_t* counter = counts.mutable_data() + b * from.cols;
    const Index end = bounds[static_cast<std::size_t>(b) + 1];
    for (Index i = bounds[static_cast<std::size_t>(b)]; i < end; ++i) {
      const std::uint64_t last = from.offsets[static_cast<std::size_t>(i) + 1];
      for (std::uint64_t e = from.offsets[static_cast<std::size_t>(i)]; e < last; ++e) {
        visit(i, e, counter[from.columns[e]]);
      }
    }
  }

  void count_entries() {
    parallel_for(blocks, [this](Index b) {
      std::uint32_t* counter = counts.mutable_data() + b * from.cols;
      std::fill(counter, counter + from.cols, 0);
      each_entry(b, [](Index, std::uint64_t, std::uint32_t& count) { ++count; });
    });
  }

  void find_places() {
    to.offsets = Buffer<std::uint64_t>::allocate(static_cast<std::size_t>(from.cols) + 1);
    std::uint64_t* const offsets = to.offsets.mutable_data();
    parallel_blocks(from.cols, kColumnBlock, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) {
        std::uint32_t before = 0;
        for (Index b = 0; b < blocks; ++b) {
          std::uint32_t& count = counts.mutable_data()[b * from.cols + k];
          before += std::exchange(count, before);
        }
        offsets[k + 1] = before;
      }
    });
    offsets[0] = 0;
    for (Index k = 0; k < from.cols; ++k) offsets[k + 1] += offsets[k];
  }

  void place_entries() {
    to.columns = Buffer<std::uint32_t>::allocate(static_cast<std::size_t>(from.nonzeros()));
    to.values = Buffer<float>::allocate(static_cast<std::size_t>(from.nonzeros()));
    std::uint32_t* const columns = to.columns.mutable_data();
    float* const values = to.values.mutable_data();
    parallel_for(blocks, [&](Index b) {
      each_entry(b, [&](Index row, std::uint64_t e, std::uint32_t& count) {
        const std::uint64_t place = to.offsets[from.columns[e]] + count++;
        columns[place] = static_cast<std::uint32_t>(row);
        values[place] = from.values[e];
      });
    });
  }
};

}  // namespace

std::vector<Index> balanced_row_blocks(const SparseRows& sparse, Index most) {
  constexpr Index kLeastEntries = 32768;  // fewer are not worth a block
  const Index by_size = sparse.nonzeros() / kLeastEntries;
  const Index by_memory = sparse.nonzeros() / std::max<Index>(1, sparse.cols);
  const Index count = std::clamp<Index>(std::min(by_size, by_memory), 1, most);
  std::vector<Index> bounds{0};
  for (Index b = 1; b < count; ++b) {
    const auto target = sparse.offsets[static_cast<std::size_t>(sparse.rows)] / count * b;
    const auto* row = std::lower_bound(sparse.offsets.begin(), sparse.offsets.end(), target);
    const Index bound = std::min<Index>(row - sparse.offsets.begin(), sparse.rows);
    if (bound > bounds.back()) bounds.push_back(bound);
  }
  if (bounds.back() < sparse.rows || bounds.size() == 1) bounds.push_back(sparse.rows);
  return bounds;
}

SparseRows transposed(const SparseRows& sparse) {
  if (sparse.transpose) return *sparse.transpose;
  if (static_cast<std::uint64_t>(sparse.rows) > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError(fmt::format(
        "{} rows are too many to transpose: row numbers are kept in 32 bits", sparse.rows));
  }
  Transposition work(sparse);
  work.count_entries();
  work.find_places();
  work.place_entries();
  return work.to;
}

}  // namespace ardent
