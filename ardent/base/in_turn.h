// Loops whose bodies ask other processes (row_share.h): all of these have to ask in the same order.
#pragma once

#include "ardent/base/parallel.h"

namespace ardent {

/// parallel_for, but one after the other on this thread where `in_turn`; loops in the bodies stay
/// parallel.
inline void parallel_for_unless(bool in_turn, Index count, const std::function<void(Index)>& body) {
  if (!in_turn) return parallel_for(count, body);
  for (Index b = 0; b < count; ++b) body(b);
}

}  // namespace ardent
