// LIBSVM text: one row per line, "label index:value index:value …", indices from 1 and ascending.
//
// Accepted beside that: blank lines, '#' comments (a line of their own or after a row), tabs,
// "\r\n", a byte-order mark, a last line without its newline, '+' before a value, rows without
// features. Zeros written out ("3:0") count towards the number of columns but are not stored.
// A number too small for its type (1e-50 as float32) is 0, and the data set has a warning with
// their count.
// Anything else is a ParseError for the first fault in the file, whatever the number of threads.
//
// The text is cut into blocks at line ends. One pass counts colons and newlines, which bound the
// entries and rows of each block, so that memory is taken once and every block is parsed straight
// to its place.
#pragma once

#include <cstddef>

#include "ardent/data/bytes.h"
#include "ardent/data/dataset.h"

namespace ardent {

/// How rows are kept: by how many entries are there, or as asked for.
enum class LibsvmForm { by_entries, dense, sparse };

struct LibsvmOptions {
  Index features = 0;        // number of columns; 0: the highest index present
  Index least_features = 0;  // where that is 0: columns at least; those of a model, say
  /// Text that one thread parses at a time, about.
  std::size_t block_bytes = std::size_t{1} << 19;
  /// Texts up to this size are first parsed into double, larger ones into float32.
  std::size_t double_bytes = std::size_t{64} << 20;
  /// Larger texts are stored dense only up to this many bytes.
  std::size_t dense_bytes = std::size_t{1} << 30;
  /// Only the lines that begin in this part of the text, of so many parts of as many bytes.
  Index part = 0, parts = 1;
  LibsvmForm form = LibsvmForm::by_entries;
  const MakeEntryRoom* room = nullptr;  // for the sparse entries of a larger text; null: memory
};

/// Dense rows in double if at least a quarter of the entries are there, else sparse rows in
/// float32: a value beyond float32's range is then an error.
Dataset parse_libsvm(const Bytes& bytes, const LibsvmOptions& options = {});

}  // namespace ardent
