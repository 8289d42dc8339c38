// The binary cache: what `ardent convert` writes and every command reads memory-mapped.
//
//   bytes 0 …      CacheHeader: magic "ARDENTC\n", version, checksums, counts
//   then, each at a multiple of 64 bytes and padded with zeros to the next:
//     dense rows   values (float64)
//     sparse rows  values (float32), offsets (uint64), columns (uint32), and the same three of the
//                  transpose
//     labels       numbers (float64), ids (uint32), names (offsets uint64, bytes)
//     features     names (offsets uint64, bytes), name of the label column (bytes)
// The counts in the header determine where everything lies. All numbers are little-endian.
#pragma once

#include <string>
#include <string_view>

#include "ardent/data/bytes.h"
#include "ardent/data/dataset.h"

namespace ardent {

/// Writes features (dense, or CSR with its transpose), labels and names; atomically.
void write_cache(const Dataset& data, const std::string& path);

/// Maps the file; arrays are views into it, checked for bounds and order before they are used.
/// InputError if it is truncated, damaged (a checksum covers every array) or of another version.
Dataset read_cache(const std::string& path);

bool is_cache(std::string_view contents);
/// The same of a file already loaded: the data set keeps its memory alive.
Dataset parse_cache(const Bytes& bytes);

}  // namespace ardent
