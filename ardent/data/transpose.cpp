// The transpose of compressed sparse rows, by a two-step counting sort.
//
// Placing each entry in its column at once would miss the cache at nearly every entry when there
// are millions of columns. So entries first go, in row order, to one of a few hundred buckets of
// neighbouring columns, which are written as streams; then each bucket is sorted by column within
// the cache. A bucket takes exactly the place in the result that its columns will take, so the only
// extra memory is two bytes per entry and a copy of the bucket in work. The transpose is unique, so
// the order in which blocks and buckets are run cannot change it.
#include <fmt/format.h>

#include <bit>
#include <limits>

#include "ardent/base/error.h"
#include "ardent/base/memory_limit.h"
#include "ardent/base/parallel.h"
#include "ardent/base/scattered_pages.h"
#include "ardent/base/written_pages.h"
#include "ardent/data/matrix.h"
#include "ardent/data/streamed_transpose.h"

namespace ardent {
namespace {

constexpr Index kMostTransposed = 16;
constexpr Index kReleasedTogether =
    1024;                        // whose pages are let go together under a limit of memory
constexpr int kBucketBits = 9;   // about 512 buckets: as many streams as the caches follow
constexpr int kColumnBits = 16;  // a column's place within its bucket fits 16 bits

class Transposition {
 public:
  Transposition(const SparseRows& sparse, EntryRoom room)
      : from_(sparse), bounds_(balanced_row_blocks(sparse, kMostTransposed)) {
    const int bits = std::bit_width(static_cast<std::uint64_t>(std::max<Index>(1, from_.cols) - 1));
    shift_ = std::clamp(bits - kBucketBits, 0, kColumnBits);
    buckets_ = ((from_.cols - 1) >> shift_) + 1;
    next_.resize(blocks() * buckets_, 0);
    start_.resize(buckets_ + 1, 0);
    to_.rows = from_.cols;
    to_.cols = from_.rows;
    const auto entries = static_cast<std::size_t>(from_.nonzeros());
    to_.offsets = Buffer<std::uint64_t>::allocate(from_.cols + 1);
    to_.columns = std::move(room.columns);
    to_.values = std::move(room.values);
    column_ = Buffer<std::uint16_t>::allocate(entries);
  }

  SparseRows run() {
    parallel_for(blocks(), [this](Index b) { count(b); });
    find_places();
    scatter();
    parallel_for(buckets_, [this](Index bucket) { sort_bucket(bucket); });
    to_.offsets.mutable_data()[from_.cols] = start_.back();
    return std::move(to_);
  }

 private:
  Index blocks() const { return std::ssize(bounds_) - 1; }
  std::uint64_t* next(Index block) { return next_.data() + block * buckets_; }

  /// Calls visit(row, entry) for the entries of a block in order.
  template <class Visit>
  void each_entry(Index block, const Visit& visit) const {
    for (Index i = bounds_[block]; i < bounds_[block + 1]; ++i) {
      for (std::uint64_t e = from_.offsets[i]; e < from_.offsets[i + 1]; ++e) visit(i, e);
      if ((i + 1) % kReleasedTogether == 0) {
        release_rows(from_, std::max(bounds_[block], i + 1 - kReleasedTogether), i + 1);
      }
    }
  }

  void count(Index block) {
    std::uint64_t* counts = next(block);
    each_entry(block, [&](std::size_t, std::uint64_t e) { ++counts[from_.columns[e] >> shift_]; });
  }

  /// Turns the counts into where each block's next entry of each bucket goes.
  void find_places() {
    std::uint64_t place = 0;
    for (Index bucket = 0; bucket < buckets_; ++bucket) {
      start_[bucket] = place;
      for (Index b = 0; b < blocks(); ++b) {
        const std::uint64_t count = next(b)[bucket];
        next(b)[bucket] = place;
        place += count;
      }
    }
    start_.back() = place;
  }

  void scatter() {
    const auto entries = static_cast<std::size_t>(from_.nonzeros());
    const ScatteredPages rows(to_.columns.data(), entries * sizeof(std::uint32_t));
    const ScatteredPages values(to_.values.data(), entries * sizeof(float));
    const ScatteredPages columns(column_.data(), entries * sizeof(std::uint16_t));
    parallel_for(blocks(), [this](Index b) { fill_buckets(b); });
  }

  void fill_buckets(Index block) {
    std::uint64_t* places = next(block);
    const std::uint32_t mask = (std::uint32_t{1} << shift_) - 1;
    std::uint32_t* rows = to_.columns.mutable_data();
    float* values = to_.values.mutable_data();
    std::uint16_t* column = column_.mutable_data();
    each_entry(block, [&](std::size_t row, std::uint64_t e) {
      const std::uint64_t place = places[from_.columns[e] >> shift_]++;
      rows[place] = static_cast<std::uint32_t>(row);
      values[place] = from_.values[e];
      column[place] = static_cast<std::uint16_t>(from_.columns[e] & mask);
    });
  }

  void sort_bucket(Index bucket) {
    const std::uint64_t begin = start_[bucket];
    const std::uint64_t size = start_[bucket + 1] - begin;
    const Index first = bucket << shift_;
    const Index width = std::min(from_.cols - first, Index{1} << shift_);
    const std::uint16_t* column = column_.data() + begin;
    std::vector<std::uint64_t> place(static_cast<std::size_t>(width) + 1, 0);
    for (std::uint64_t e = 0; e < size; ++e) ++place[column[e] + std::size_t{1}];
    for (std::size_t k = 1; k < place.size(); ++k) place[k] += place[k - 1];
    for (Index k = 0; k < width; ++k) {
      to_.offsets.mutable_data()[first + k] = begin + place[k];
    }
    if (width == 1) return;
    std::uint32_t* rows = to_.columns.mutable_data() + begin;
    float* values = to_.values.mutable_data() + begin;
    const auto old_rows = Buffer<std::uint32_t>::copy_of({rows, size});
    const auto old_values = Buffer<float>::copy_of({values, size});
    for (std::uint64_t e = 0; e < size; ++e) {
      const std::uint64_t to = place[column[e]]++;
      rows[to] = old_rows[e];
      values[to] = old_values[e];
    }
    release_pages(rows, size * sizeof *rows);
    release_pages(values, size * sizeof *values);
    release_pages(column, size * sizeof *column);
  }

  const SparseRows& from_;
  std::vector<Index> bounds_;  // of the blocks of rows
  int shift_ = 0;              // column k is in bucket k >> shift
  Index buckets_ = 0;
  std::vector<std::uint64_t> next_;   // block × bucket: entries, then the place of the next one
  std::vector<std::uint64_t> start_;  // where each bucket begins
  Buffer<std::uint16_t> column_;      // of each entry in bucket order, within its bucket
  SparseRows to_;
};

}  // namespace

std::vector<Index> balanced_row_blocks(const SparseRows& sparse, Index most) {
  constexpr Index kLeastEntries = 32768;  // fewer are not worth a block
  const Index count = std::clamp<Index>(sparse.nonzeros() / kLeastEntries, 1, most);
  std::vector<Index> bounds{0};
  for (Index b = 1; b < count; ++b) {
    const auto target = static_cast<std::uint64_t>(sparse.nonzeros() / count * b);
    const auto* row = std::lower_bound(sparse.offsets.begin(), sparse.offsets.end(), target);
    const Index bound = std::min<Index>(row - sparse.offsets.begin(), sparse.rows);
    if (bound > bounds.back()) bounds.push_back(bound);
  }
  if (bounds.back() < sparse.rows || bounds.size() == 1) bounds.push_back(sparse.rows);
  return bounds;
}

EntryRoom allocate_entries(std::uint64_t count) {
  return {Buffer<std::uint32_t>::allocate(count), Buffer<float>::allocate(count)};
}

SparseRows transposed(const SparseRows& sparse) {
  if (sparse.transpose) return *sparse.transpose;
  return transposed(sparse, allocate_entries(sparse.columns.size()));
}

SparseRows transposed(const SparseRows& sparse, EntryRoom room) {
  if (static_cast<std::uint64_t>(sparse.rows) > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError(fmt::format(
        "{} rows are too many to transpose: row numbers are kept in 32 bits", sparse.rows));
  }
  constexpr std::size_t kEntryBytes = 10;
  if (!memory_has_room(kEntryBytes * sparse.columns.size())) {
    return streamed_transpose(sparse, std::move(room));
  }
  return Transposition(sparse, std::move(room)).run();
}

}  // namespace ardent
