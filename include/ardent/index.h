#pragma once

#include <cstddef>

namespace ardent {

/// Rows, columns, counts: signed, 64 bits, the same as Eigen::Index.
using Index = std::ptrdiff_t;

}  // namespace ardent
