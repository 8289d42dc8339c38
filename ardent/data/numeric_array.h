// A block of numbers as a binary file holds it, and the rows made of it. NPY and IDX files are two
// headers to this.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ardent/data/bytes.h"
#include "ardent/data/matrix.h"

namespace ardent {

enum class NumberType { f4, f8, i1, i2, i4, i8, u1, u2, u4, u8 };

std::size_t size_of(NumberType type);

struct NumericArray {
  NumberType type = NumberType::f8;
  bool big_endian = false;
  bool column_major = false;         // Fortran order: the first dimension varies fastest
  std::vector<std::uint64_t> shape;  // at least one dimension
  std::string_view payload;          // what the file holds after its header

  std::uint64_t rows() const { return shape[0]; }
};

/// Rows along the first dimension, the others flattened in C order; one column if there are none.
/// InputError if the payload has not the size that the shape needs (which is checked before any
/// memory is taken), if there are no numbers, or if one is not finite (unless those are allowed as
/// missing: NaN then stands for all of them).
enum class Missing { refused, allowed };
DenseRows dense_rows(const NumericArray& array, const std::string& name,
                     Missing missing = Missing::refused);

}  // namespace ardent
