// Columns are cut into buckets of about equally many entries, which fit into memory. Entries go, in
// row order, to their bucket's place in the result by way of a page of memory for each bucket, so
// that no page of the result is asked for twice. Then each bucket is sorted in memory by column; a
// column that fills a bucket by itself is in its order already.
#include "ardent/data/streamed_transpose.h"

#include <algorithm>
#include <cstring>

#include "ardent/base/memory_limit.h"
#include "ardent/base/parallel.h"
#include "ardent/base/scattered_pages.h"
#include "ardent/data/build_sparse.h"

namespace ardent {
namespace {

constexpr std::uint64_t kStaged = 1024;  // entries: a page of rows, and one of values
constexpr std::size_t kStageShare = 16;  // of the limit, for all stages
constexpr Index kWidest = 1 << 16;       // a column's place within its bucket fits 16 bits

struct WaitingEntries {
  std::uint32_t rows[kStaged];
  float values[kStaged];
  std::uint16_t columns[kStaged];
};

struct Bucket {
  Index first = 0, width = 0;        // columns
  std::uint64_t begin = 0, end = 0;  // entries of the result
  std::uint64_t next = 0;            // where the first of those staged goes
  std::uint64_t staged = 0;
  std::unique_ptr<WaitingEntries> stage = nullptr;  // from the first entry on
};

class StreamedTransposition {
 public:
  StreamedTransposition(const SparseRows& from, EntryRoom room) : from_(from) {
    to_.rows = from.cols;
    to_.cols = from.rows;
    to_.columns = std::move(room.columns);
    to_.values = std::move(room.values);
    column_ = Buffer<std::uint16_t>::allocate(from.columns.size());
  }

  SparseRows run() {
    count_columns();
    cut_buckets();
    fill_buckets();
    expect(0);
    parallel_for(std::ssize(buckets_), [this](Index b) {
      expect(b + threads());
      sort(buckets_[static_cast<std::size_t>(b)]);
    });
    return std::move(to_);
  }

 private:
  /// Calls visit(row, entry) for all entries in order. The next ones are read ahead.
  template <class Visit>
  void each_entry(const Visit& visit) const {
    constexpr std::uint64_t kWindow = std::uint64_t{1} << 18;
    const auto window_end = [&](Index begin) {
      const std::uint64_t stop = from_.offsets[begin] + kWindow;
      Index end = std::min(begin + 1, from_.rows);
      while (end < from_.rows && from_.offsets[end] < stop) ++end;
      return end;
    };
    for (Index begin = 0, end = window_end(0); begin < from_.rows;) {
      const Index next_end = window_end(end);
      expect_rows(from_, end, next_end);
      for (Index i = begin; i < end; ++i) {
        for (std::uint64_t e = from_.offsets[i]; e < from_.offsets[i + 1]; ++e) {
          visit(static_cast<std::uint32_t>(i), e);
        }
      }
      release_rows(from_, begin, end);
      begin = end;
      end = next_end;
    }
  }

  void count_columns() {
    to_.offsets = Buffer<std::uint64_t>::allocate(to_.rows + 1);
    std::uint64_t* const counts = to_.offsets.mutable_data();
    std::fill_n(counts, to_.rows + 1, 0);
    each_entry(
        [&](std::uint32_t, std::uint64_t e) { ++counts[from_.columns[e] + std::size_t{1}]; });
    accumulate_offsets(to_.offsets);
  }

  void cut_buckets() {
    const std::size_t most =
        std::clamp<std::size_t>(memory_limit() / kStageShare / sizeof(WaitingEntries), 16, 512);
    const std::uint64_t full = std::max(to_.columns.size() / most, kStaged);
    bucket_of_.resize(static_cast<std::size_t>(to_.rows));
    for (Index k = 0; k < to_.rows; ++k) {
      const std::uint64_t begin = to_.offsets[k], end = to_.offsets[k + 1];
      const bool goes_on = !buckets_.empty() && end - buckets_.back().begin <= full &&
                           buckets_.back().width < kWidest;
      if (!goes_on) buckets_.push_back({.first = k, .begin = begin, .next = begin});
      Bucket& bucket = buckets_.back();
      ++bucket.width;
      bucket.end = end;
      bucket_of_[static_cast<std::size_t>(k)] = static_cast<std::uint32_t>(buckets_.size() - 1);
    }
  }

  void fill_buckets() {
    const std::uint64_t entries = to_.columns.size();
    const ScatteredPages rows(to_.columns.data(), entries * sizeof(std::uint32_t));
    const ScatteredPages values(to_.values.data(), entries * sizeof(float));
    const ScatteredPages columns(column_.data(), entries * sizeof(std::uint16_t));
    each_entry([this](std::uint32_t row, std::uint64_t e) {
      stage(row, from_.columns[e], from_.values[e]);
    });
    for (Bucket& bucket : buckets_) {
      flush(bucket);
      bucket.stage.reset();
    }
  }

  void stage(std::uint32_t row, std::uint32_t column, float value) {
    Bucket& bucket = buckets_[bucket_of_[column]];
    if (!bucket.stage) bucket.stage = std::make_unique_for_overwrite<WaitingEntries>();
    bucket.stage->rows[bucket.staged] = row;
    bucket.stage->values[bucket.staged] = value;
    bucket.stage->columns[bucket.staged] = static_cast<std::uint16_t>(column - bucket.first);
    ++bucket.staged;
    // Up to a page's end: only a bucket's first and last pages are its neighbours', too.
    if ((bucket.next + bucket.staged) % kStaged == 0) flush(bucket);
  }

  void flush(Bucket& bucket) {
    if (bucket.staged == 0) return;
    const auto put = [&](auto& array, const auto* staged) {
      std::copy_n(staged, bucket.staged, array.mutable_data() + bucket.next);
    };
    put(to_.columns, bucket.stage->rows);
    put(to_.values, bucket.stage->values);
    if (bucket.width > 1) put(column_, bucket.stage->columns);
    bucket.next += bucket.staged;
    bucket.staged = 0;
  }

  /// The bucket is read next, or has been for now.
  void expect(Index b) const {
    if (b < std::ssize(buckets_)) each_array(buckets_[static_cast<std::size_t>(b)], expect_pages);
  }
  template <class Advise>
  void each_array(const Bucket& bucket, const Advise& advise) const {
    const std::uint64_t count = bucket.end - bucket.begin;
    if (bucket.width == 1) return;
    advise(to_.columns.data() + bucket.begin, count * sizeof(std::uint32_t));
    advise(to_.values.data() + bucket.begin, count * sizeof(float));
    advise(column_.data() + bucket.begin, count * sizeof(std::uint16_t));
  }

  void sort(const Bucket& bucket) {
    if (bucket.width == 1) return;
    const std::uint64_t count = bucket.end - bucket.begin;
    std::uint32_t* const rows = to_.columns.mutable_data() + bucket.begin;
    float* const values = to_.values.mutable_data() + bucket.begin;
    const std::vector<std::uint32_t> old_rows(rows, rows + count);
    const std::vector<float> old_values(values, values + count);
    const std::uint64_t* const first = to_.offsets.data() + bucket.first;
    std::vector<std::uint64_t> place(first, first + bucket.width);
    for (std::uint64_t e = 0; e < count; ++e) {
      const std::uint64_t to = place[column_[bucket.begin + e]]++ - bucket.begin;
      rows[to] = old_rows[e];
      values[to] = old_values[e];
    }
    each_array(bucket, release_pages);
  }

  const SparseRows& from_;
  SparseRows to_;
  Buffer<std::uint16_t> column_;  // of each entry, within its bucket, while buckets are not sorted
  std::vector<Bucket> buckets_;
  std::vector<std::uint32_t> bucket_of_;  // each column
};

}  // namespace

SparseRows streamed_transpose(const SparseRows& sparse, EntryRoom room) {
  return StreamedTransposition(sparse, std::move(room)).run();
}

}  // namespace ardent
