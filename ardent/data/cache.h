// The binary cache: what `ardent convert` writes and every command reads memory-mapped. A container
// (base/container.h) of the kind "cache"; docs/files.md names its arrays.
#pragma once

#include <string>
#include <string_view>

#include "ardent/base/atomic_file.h"
#include "ardent/data/bytes.h"
#include "ardent/data/dataset.h"

namespace ardent {

/// Writes features (dense, or CSR with its transpose), labels and names; atomically.
void write_cache(const Dataset& data, const std::string& path);

/// A cache whose sparse entries are made where they will lie in the file.
class CacheOutput {
 public:
  explicit CacheOutput(const std::string& path) : file_(path) {}
  /// In the file, which is mapped; in memory where the output is no file (a pipe).
  EntryRoom room_for(std::uint64_t entries);
  /// Once. Entries that are not in that room are copied.
  void write(Dataset data);

 private:
  EntryRoom room(Index first_array, std::uint64_t entries) const;
  /// As many entries as there are, one array behind the other.
  void settle(SparseRows& rows);
  /// Their transpose, behind them.
  SparseRows turned(const SparseRows& rows) const;

  AtomicFile file_;
  std::shared_ptr<char> memory_;
  std::uint64_t entries_ = 0;  // that there is room for
};

/// Maps the file; its large arrays are views into it, checked for bounds and order before they are
/// used. InputError if it is truncated, damaged (checksums cover every byte) or of another version.
Dataset read_cache(const std::string& path);

/// Those of version 0.1 are recognised; parse_cache() says that they must be made again.
bool is_cache(std::string_view contents);
/// The same of a file already loaded: the data set keeps its memory alive.
Dataset parse_cache(const Bytes& bytes);

}  // namespace ardent
