#include "ardent/data/libsvm.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include "ardent/base/error.h"
#include "ardent/base/memory_limit.h"
#include "ardent/base/parallel.h"
#include "ardent/data/libsvm_block.h"
#include "ardent/data/number.h"

namespace ardent {
namespace {

/// A stretch of whole lines, the room reserved for it, and what it used of that.
struct Block {
  const char* begin = nullptr;
  const char* end = nullptr;
  std::uint64_t lines = 0;
  std::uint64_t colons = 0;
  std::uint64_t first_row = 0;    // room starts here
  std::uint64_t first_entry = 0;  // and here
  LibsvmUse used;
};

template <class T>
struct ParsedText {
  std::vector<std::string_view> labels;
  Buffer<std::uint64_t> offsets;
  Buffer<std::uint32_t> columns;
  Buffer<T> values;
  Index cols = 0;
  std::uint64_t vanished = 0;

  std::size_t rows() const { return labels.size(); }
};

/// Counts in byte-wide lanes, which compilers turn into vector instructions; 255 rounds at most
/// before a lane is full.
void count_lines_and_colons(Block& block) {
  constexpr std::ptrdiff_t kLanes = 64;
  const char* p = block.begin;
  while (block.end - p >= kLanes) {
    std::array<std::uint8_t, kLanes> colons{};
    std::array<std::uint8_t, kLanes> lines{};
    const auto rounds = std::min<std::ptrdiff_t>(255, (block.end - p) / kLanes);
    for (std::ptrdiff_t round = 0; round < rounds; ++round, p += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        colons[lane] = static_cast<std::uint8_t>(colons[lane] + (p[lane] == ':'));
        lines[lane] = static_cast<std::uint8_t>(lines[lane] + (p[lane] == '\n'));
      }
    }
    for (const auto count : colons) block.colons += count;
    for (const auto count : lines) block.lines += count;
  }
  for (; p != block.end; ++p) {
    block.colons += *p == ':';
    block.lines += *p == '\n';
  }
  // The last line of the text may lack its newline.
  if (block.begin != block.end && block.end[-1] != '\n') ++block.lines;
  release_pages(block.begin, static_cast<std::size_t>(block.end - block.begin));
}

std::vector<Block> cut_at_lines(std::string_view text, std::size_t block_bytes) {
  std::vector<Block> blocks;
  const char* const end = text.data() + text.size();
  for (const char* p = text.data(); p != end;) {
    Block block;
    block.begin = p;
    p += std::min(block_bytes, static_cast<std::size_t>(end - p)) - 1;
    const void* newline = std::memchr(p, '\n', static_cast<std::size_t>(end - p));
    p = newline ? static_cast<const char*>(newline) + 1 : end;
    block.end = p;
    blocks.push_back(block);
  }
  parallel_for(std::ssize(blocks), [&](Index b) { count_lines_and_colons(blocks[b]); });
  for (std::size_t b = 1; b < blocks.size(); ++b) {
    blocks[b].first_row = blocks[b - 1].first_row + blocks[b - 1].lines;
    blocks[b].first_entry = blocks[b - 1].first_entry + blocks[b - 1].colons;
  }
  return blocks;
}

/// Comments, blank lines and zeros leave gaps between the blocks: closes them, and makes each
/// row's end, counted from its block's start, count from the text's.
template <class T>
void close_gaps(const std::vector<Block>& blocks, ParsedText<T>& parsed) {
  std::uint64_t rows = 0;
  std::uint64_t entries = 0;
  std::uint64_t* const ends = parsed.offsets.mutable_data() + 1;
  for (const Block& block : blocks) {
    if (rows != block.first_row) {
      std::copy_n(parsed.labels.data() + block.first_row, block.used.rows,
                  parsed.labels.data() + rows);
    }
    for (std::uint64_t i = 0; i < block.used.rows; ++i) {
      ends[rows + i] = entries + ends[block.first_row + i];
    }
    if (entries != block.first_entry) {
      std::copy_n(parsed.columns.data() + block.first_entry, block.used.entries,
                  parsed.columns.mutable_data() + entries);
      std::copy_n(parsed.values.data() + block.first_entry, block.used.entries,
                  parsed.values.mutable_data() + entries);
      release_pages(parsed.columns.data() + block.first_entry,
                    block.used.entries * sizeof *parsed.columns.data());
      release_pages(parsed.values.data() + block.first_entry,
                    block.used.entries * sizeof *parsed.values.data());
    }
    rows += block.used.rows;
    entries += block.used.entries;
  }
  parsed.labels.resize(rows);
  parsed.offsets.truncate(rows + 1);
  parsed.columns.truncate(entries);
  parsed.values.truncate(entries);
}

template <class T>
ParsedText<T> parse_blocks(const Bytes& bytes, std::vector<Block> blocks,
                           const LibsvmOptions& options) {
  const Index features = options.features;
  const Block& last = blocks.back();
  const std::uint64_t most_rows = last.first_row + last.lines;
  const std::uint64_t most_entries = last.first_entry + last.colons;
  ParsedText<T> parsed;
  parsed.labels.resize(most_rows);
  parsed.offsets = Buffer<std::uint64_t>::allocate(most_rows + 1);
  parsed.offsets.mutable_data()[0] = 0;
  if constexpr (std::is_same_v<T, float>) {
    EntryRoom room = options.room ? (*options.room)(most_entries) : allocate_entries(most_entries);
    parsed.columns = std::move(room.columns);
    parsed.values = std::move(room.values);
  } else {
    parsed.columns = Buffer<std::uint32_t>::allocate(most_entries);
    parsed.values = Buffer<T>::allocate(most_entries);
  }
  const std::uint64_t highest =
      features > 0 ? static_cast<std::uint64_t>(features) : kHighestLibsvmIndex;
  parallel_for(std::ssize(blocks), [&](Index b) {
    Block& block = blocks[b];
    const LibsvmPlace<T> place{parsed.labels.data() + block.first_row,
                               parsed.offsets.mutable_data() + 1 + block.first_row,
                               parsed.columns.mutable_data() + block.first_entry,
                               parsed.values.mutable_data() + block.first_entry};
    block.used = parse_libsvm_block(bytes, block.begin, block.end, highest, place);
    release_pages(block.begin, static_cast<std::size_t>(block.end - block.begin));
    release_pages(place.columns, block.used.entries * sizeof *place.columns);
    release_pages(place.values, block.used.entries * sizeof *place.values);
  });
  close_gaps(blocks, parsed);
  parsed.cols = options.least_features;
  for (const Block& block : blocks) {
    parsed.cols = std::max(parsed.cols, static_cast<Index>(block.used.highest_index));
    parsed.vanished += block.used.vanished;
  }
  if (features > 0) parsed.cols = features;
  if (parsed.rows() == 0) throw InputError(fmt::format("{}: no rows", bytes.name));
  if (parsed.cols == 0) {
    throw InputError(
        fmt::format("{}: no row has a feature; expected label index:value …", bytes.name));
  }
  return parsed;
}

template <class T>
bool wants_dense(const ParsedText<T>& parsed, const LibsvmOptions& options) {
  if (options.form != LibsvmForm::by_entries) return options.form == LibsvmForm::dense;
  const double all = static_cast<double>(parsed.rows()) * static_cast<double>(parsed.cols);
  return static_cast<double>(parsed.values.size()) >= all / 4;
}

DenseRows dense_rows(const ParsedText<double>& parsed) {
  const Index cols = parsed.cols;
  DenseRows dense{static_cast<Index>(parsed.rows()), cols,
                  Buffer<double>::allocate(parsed.rows() * cols)};
  double* const values = dense.values.mutable_data();
  constexpr Index kBlock = 256;
  parallel_blocks(dense.rows, kBlock, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      double* const row = values + i * cols;
      std::fill_n(row, cols, 0.0);
      for (auto k = parsed.offsets[i]; k < parsed.offsets[i + 1]; ++k) {
        row[parsed.columns[k]] = parsed.values[k];
      }
    }
  });
  return dense;
}

SparseRows sparse_rows(const ParsedText<float>& parsed) {
  return {static_cast<Index>(parsed.rows()),
          parsed.cols,
          parsed.offsets,
          parsed.columns,
          parsed.values,
          nullptr};
}

/// Values of a text as float32, if rounding them twice does no harm to any.
std::optional<Buffer<float>> narrowed(const Buffer<double>& values) {
  auto narrow_values = Buffer<float>::allocate(values.size());
  float* const out = narrow_values.mutable_data();
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!narrow(values[k], out[k])) return std::nullopt;
  }
  return narrow_values;
}

/// Parses once where it can: the guess of the value type is wrong only for a large text that turns
/// out dense, and for a small sparse one that has a value on the edge of float32.
Features features_of(const Bytes& bytes, const std::vector<Block>& blocks,
                     const LibsvmOptions& options, Labels& labels, std::uint64_t& vanished) {
  if (bytes.contents.size() <= options.double_bytes) {
    const auto parsed = parse_blocks<double>(bytes, blocks, options);
    labels = make_labels(parsed.labels);
    vanished = parsed.vanished;
    if (wants_dense(parsed, options)) return dense_rows(parsed);
    if (auto values = narrowed(parsed.values)) {
      return SparseRows{static_cast<Index>(parsed.rows()),
                        parsed.cols,
                        parsed.offsets,
                        parsed.columns,
                        std::move(*values),
                        nullptr};
    }
    const auto again = parse_blocks<float>(bytes, blocks, options);
    vanished = again.vanished;
    return sparse_rows(again);
  }
  const auto parsed = parse_blocks<float>(bytes, blocks, options);
  labels = make_labels(parsed.labels);
  vanished = parsed.vanished;
  const double bytes_dense =
      static_cast<double>(parsed.rows()) * sizeof(double) * static_cast<double>(parsed.cols);
  const bool few = bytes_dense <= static_cast<double>(options.dense_bytes);
  if (wants_dense(parsed, options) && (few || options.form == LibsvmForm::dense)) {
    const auto again = parse_blocks<double>(bytes, blocks, options);
    vanished = again.vanished;
    return dense_rows(again);
  }
  return sparse_rows(parsed);
}

/// Where the part begins: after the newline that ends the line before.
std::size_t begin_of_part(std::string_view text, Index part, Index parts) {
  const double share = static_cast<double>(part) / static_cast<double>(parts);
  const auto begin = static_cast<std::size_t>(share * static_cast<double>(text.size()));
  if (part == 0) return 0;
  if (part == parts || begin == 0) return part == parts ? text.size() : 0;
  const std::size_t newline = text.find('\n', begin - 1);
  return newline == text.npos ? text.size() : newline + 1;
}

}  // namespace

Dataset parse_libsvm(const Bytes& bytes, const LibsvmOptions& options) {
  if (options.features < 0 || options.features > static_cast<Index>(kHighestLibsvmIndex)) {
    throw InputError(fmt::format("features must be from 0 to {}, not {}", kHighestLibsvmIndex,
                                 options.features));
  }
  std::string_view text = bytes.text();
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  if (text.empty()) throw InputError(fmt::format("{}: the file is empty", bytes.name));
  if (options.parts > 1) {
    const std::size_t begin = begin_of_part(text, options.part, options.parts);
    text = text.substr(begin, begin_of_part(text, options.part + 1, options.parts) - begin);
    if (text.empty()) {
      throw InputError(fmt::format("{}: no line begins in part {} of {}: cut it into fewer parts",
                                   bytes.name, options.part + 1, options.parts));
    }
  }
  const auto blocks = cut_at_lines(text, std::max<std::size_t>(1, options.block_bytes));
  Dataset data;
  data.source = bytes.name;
  data.absent_is_zero = true;
  std::uint64_t vanished = 0;
  data.features = features_of(bytes, blocks, options, data.labels, vanished);
  if (vanished > 0) {
    data.warnings.push_back(
        fmt::format("{}: {} too small for {} and counted as 0", bytes.name,
                    vanished == 1 ? "1 value is" : fmt::format("{} values are", vanished),
                    is_sparse(data.features) ? "sparse data (32 bits)" : "64 bits"));
  }
  return data;
}

}  // namespace ardent
