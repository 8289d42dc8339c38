// Inner products of long vectors, in parallel, the same bits for any number of threads.
#pragma once

#include "ardent/base/parallel.h"
#include "ardent/base/types.h"

namespace ardent {

inline double dot(const Vector& a, const Vector& b) {
  constexpr Index kBlock = 1 << 16;
  return parallel_sum(a.size(), kBlock, [&](Index begin, Index end) {
    return a.segment(begin, end - begin).dot(b.segment(begin, end - begin));
  });
}

}  // namespace ardent
