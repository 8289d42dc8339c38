// NumPy's .npy files, versions 1 to 3: one array of floats, integers or booleans.
#pragma once

#include "ardent/data/bytes.h"
#include "ardent/data/numeric_array.h"

namespace ardent {

bool is_npy(std::string_view contents);

/// Reads the header; the payload is the rest of the file. InputError if it is not the header of
/// such an array.
NumericArray parse_npy(const Bytes& bytes);

/// The header of an array in C order, version 1.0, padded so that the numbers begin at a multiple
/// of 64 bytes. `type` and `shape` as NumPy spells them: "<f8", "(3, 4)".
std::string npy_header(std::string_view type, std::string_view shape);

}  // namespace ardent
