// Parallel loops whose results do not depend on the number of threads.
//
// Work is cut into blocks whose bounds depend on the problem alone, never on the thread count;
// each block writes its own output, and sums add the blocks' partial sums in block order.
//
// Underneath is oneTBB. A loop inside a loop's body shares the threads of the outer one: idle
// threads help wherever there are blocks left. A thread that waits for an inner loop to end runs
// blocks of that loop only, so that locks and thread-local state around an inner loop are safe. In
// a forked child of a process that has run a parallel loop, loops are serial: oneTBB's threads do
// not survive a fork.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "ardent/base/types.h"

namespace ardent {

/// Number of threads that parallel loops started from this thread may use.
int threads();

/// Sets that number for a scope (0: all cores). Loops inside a loop's body share the outer loop's
/// threads; a scope in a body can only lower their number.
class ThreadScope {
 public:
  explicit ThreadScope(int count);
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int previous_;
};

/// Calls body(b) for b = 0 … count−1, each once, in any order, on up to threads() threads.
/// Blocks are begun in order of b. If one throws, no further ones are begun, and the exception of
/// the smallest b that threw is rethrown.
void parallel_for(Index count, const std::function<void(Index)>& body);

/// Cuts [0, n) into blocks of `block` and calls body(begin, end) for each in parallel.
template <class Body>
void parallel_blocks(Index n, Index block, Body&& body) {
  const Index count = (n + block - 1) / block;
  parallel_for(count, [&](Index b) { body(b * block, std::min(n, (b + 1) * block)); });
}

/// Sum over blocks of body(begin, end) → double, added in block order.
template <class Body>
double parallel_sum(Index n, Index block, Body&& body) {
  const Index count = (n + block - 1) / block;
  std::vector<double> partial(count);
  parallel_for(count, [&](Index b) { partial[b] = body(b * block, std::min(n, (b + 1) * block)); });
  double sum = 0;
  for (const double p : partial) sum += p;
  return sum;
}

}  // namespace ardent
