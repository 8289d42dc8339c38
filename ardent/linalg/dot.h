// Work on long vectors, in parallel, the same bits for any number of threads.
#pragma once

#include "ardent/base/parallel.h"
#include "ardent/base/types.h"

namespace ardent {

/// Elements at a time where each is on its own: 128 KiB of a vector.
inline constexpr Index kElementBlock = 1 << 14;

inline double dot(const Vector& a, const Vector& b) {
  constexpr Index kBlock = 1 << 16;
  return parallel_sum(a.size(), kBlock, [&](Index begin, Index end) {
    return a.segment(begin, end - begin).dot(b.segment(begin, end - begin));
  });
}

/// y += factor·x
inline void add_scaled(double factor, const Vector& x, Vector& y) {
  parallel_blocks(x.size(), kElementBlock, [&](Index begin, Index end) {
    y.segment(begin, end - begin) += factor * x.segment(begin, end - begin);
  });
}

/// a_k/b_k
inline Vector quotients(const Vector& a, const Vector& b) {
  Vector result(a.size());
  parallel_blocks(a.size(), kElementBlock, [&](Index begin, Index end) {
    result.segment(begin, end - begin) =
        a.segment(begin, end - begin).cwiseQuotient(b.segment(begin, end - begin));
  });
  return result;
}

}  // namespace ardent
