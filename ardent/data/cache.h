// The binary cache: what `ardent convert` writes and every command reads memory-mapped.
#pragma once

#include <string>

#include "ardent/data/dataset.h"

namespace ardent {

/// Writes features (dense, or CSR with its transpose), labels and names; atomically.
void write_cache(const Dataset& data, const std::string& path);

/// Maps the file; arrays are views into it, checked for bounds and order before they are used.
Dataset read_cache(const std::string& path);

}  // namespace ardent
