// NumPy's .npy files, versions 1 to 3: one array of floats, integers or booleans.
#pragma once

#include "ardent/data/bytes.h"
#include "ardent/data/numeric_array.h"

namespace ardent {

bool is_npy(std::string_view contents);

/// Reads the header; the payload is the rest of the file. InputError if it is not the header of
/// such an array.
NumericArray parse_npy(const Bytes& bytes);

}  // namespace ardent
