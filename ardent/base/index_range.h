// The indices from begin to end.
#pragma once

#include <numeric>
#include <vector>

#include "ardent/base/types.h"

namespace ardent {

/// begin, begin + 1, … end − 1
inline std::vector<Index> index_range(Index begin, Index end) {
  std::vector<Index> indices(end - begin);
  std::iota(indices.begin(), indices.end(), begin);
  return indices;
}

}  // namespace ardent
