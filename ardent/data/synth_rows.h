// The rows of planted data: a Zipf law over words, and which column each word is.
#pragma once

#include <cstdint>
#include <vector>

#include "ardent/base/random.h"
#include "ardent/data/matrix.h"
#include "ardent/data/zipf.h"

namespace ardent {

/// What a random stream is for. Sample 0 belongs to the truth and to the rows that calibrate it.
enum class SynthStream : std::uint64_t { lengths, words, labels, truth };

/// A stream of its own for each purpose and block of rows of a sample.
Random synth_stream(std::uint64_t seed, Index sample, SynthStream purpose, Index block);

struct Vocabulary {
  ZipfLaw law;
  std::vector<std::uint32_t> column;  // of the word of each rank
};

/// `mean_words` different words a row on average. Same bits whatever the threads.
SparseRows draw_synth_rows(const Vocabulary& vocabulary, Index rows, Index mean_words,
                           std::uint64_t seed, Index sample);

}  // namespace ardent
