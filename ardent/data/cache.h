// The binary cache: what `ardent convert` writes and every command reads memory-mapped. A container
// (base/container.h) of the kind "cache"; docs/files.md names its arrays.
#pragma once

#include <string>
#include <string_view>

#include "ardent/data/bytes.h"
#include "ardent/data/dataset.h"

namespace ardent {

/// Writes features (dense, or CSR with its transpose), labels and names; atomically.
void write_cache(const Dataset& data, const std::string& path);

/// Maps the file; its large arrays are views into it, checked for bounds and order before they are
/// used. InputError if it is truncated, damaged (checksums cover every byte) or of another version.
Dataset read_cache(const std::string& path);

/// Those of version 0.1 are recognised; parse_cache() says that they must be made again.
bool is_cache(std::string_view contents);
/// The same of a file already loaded: the data set keeps its memory alive.
Dataset parse_cache(const Bytes& bytes);

}  // namespace ardent
