#include "ardent/data/synth_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "ardent/base/elementary.h"
#include "ardent/base/parallel.h"

namespace ardent {
namespace {

constexpr Index kDrawnRows = 1024;

/// The different words of one row and how often each was drawn; used again for the next row.
class WordBag {
 public:
  explicit WordBag(Index most_words)
      : slots_(std::bit_ceil(static_cast<std::size_t>(most_words) * 2 + 1), kFree) {}

  Index size() const { return std::ssize(words_); }

  void add(std::uint32_t rank) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = (rank * 0x9e3779b9u) & mask;
    for (; slots_[slot] != kFree; slot = (slot + 1) & mask) {
      Word& known = words_[slots_[slot]];
      if (known.rank != rank) continue;
      ++known.count;
      return;
    }
    slots_[slot] = static_cast<std::uint32_t>(words_.size());
    words_.push_back({rank, 1, slot});
  }

  /// Writes the row, columns ascending, values of unit length, and empties the bag.
  void pour(const std::vector<std::uint32_t>& column_of, std::uint32_t* columns, float* values) {
    for (Word& word : words_) {
      slots_[word.slot] = kFree;
      word.rank = column_of[word.rank];
    }
    std::sort(words_.begin(), words_.end(),
              [](const Word& a, const Word& b) { return a.rank < b.rank; });
    double squares = 0;
    const auto weight = [](const Word& word) {
      return word.count == 1 ? 1.0 : 1 + elementary::log(static_cast<double>(word.count));
    };
    for (const Word& word : words_) squares += weight(word) * weight(word);
    const double length = std::sqrt(squares);
    for (const Word& word : words_) {
      *columns++ = word.rank;
      *values++ = static_cast<float>(weight(word) / length);
    }
    words_.clear();
  }

 private:
  static constexpr std::uint32_t kFree = 0xffffffff;
  struct Word {
    std::uint32_t rank;  // its column, once the bag is poured
    std::uint32_t count;
    std::size_t slot;
  };

  std::vector<std::uint32_t> slots_;  // open addressing: place in words_
  std::vector<Word> words_;
};

/// Row lengths are drawn first, so that every block of rows knows its place.
Buffer<std::uint64_t> draw_offsets(Index rows, Index mean_words, std::uint64_t seed, Index sample) {
  auto offsets = Buffer<std::uint64_t>::allocate(rows + 1);
  std::uint64_t* const ends = offsets.mutable_data();
  ends[0] = 0;
  parallel_blocks(rows, kDrawnRows, [&](Index begin, Index end) {
    Random random = synth_stream(seed, sample, SynthStream::lengths, begin / kDrawnRows);
    const Index shortest = mean_words - mean_words / 2;
    const Index choices = mean_words / 2 * 2 + 1;
    for (Index i = begin; i < end; ++i) {
      ends[i + 1] = static_cast<std::uint64_t>(shortest + random.below(choices));
    }
  });
  std::partial_sum(ends, ends + rows + 1, ends);
  return offsets;
}

}  // namespace

Random synth_stream(std::uint64_t seed, Index sample, SynthStream purpose, Index block) {
  const auto number = (static_cast<std::uint64_t>(sample) << 40) +
                      (static_cast<std::uint64_t>(block) << 2) +
                      static_cast<std::uint64_t>(purpose);
  return Random(seed, number);
}

SparseRows draw_synth_rows(const Vocabulary& vocabulary, Index rows, Index mean_words,
                           std::uint64_t seed, Index sample) {
  SparseRows result;
  result.rows = rows;
  result.cols = vocabulary.law.ranks();
  result.offsets = draw_offsets(rows, mean_words, seed, sample);
  const std::uint64_t entries = result.offsets[rows];
  result.columns = Buffer<std::uint32_t>::allocate(entries);
  result.values = Buffer<float>::allocate(entries);
  std::uint32_t* const columns = result.columns.mutable_data();
  float* const values = result.values.mutable_data();
  parallel_blocks(rows, kDrawnRows, [&](Index begin, Index end) {
    Random random = synth_stream(seed, sample, SynthStream::words, begin / kDrawnRows);
    WordBag bag(mean_words + mean_words / 2);
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const auto wanted = static_cast<Index>(result.offsets[i + 1] - result.offsets[i]);
      while (bag.size() < wanted) {
        bag.add(static_cast<std::uint32_t>(vocabulary.law.rank(random.uniform())));
      }
      bag.pour(vocabulary.column, columns + result.offsets[i], values + result.offsets[i]);
    }
  });
  return result;
}

}  // namespace ardent
