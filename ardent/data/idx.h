// IDX files, MNIST's format: two zero bytes, a type, the number of dimensions, their extents and
// the numbers, all big-endian.
#pragma once

#include "ardent/data/bytes.h"
#include "ardent/data/numeric_array.h"

namespace ardent {

bool is_idx(std::string_view contents);

/// Reads the header; the payload is the rest of the file. InputError if it is no such header.
NumericArray parse_idx(const Bytes& bytes);

}  // namespace ardent
