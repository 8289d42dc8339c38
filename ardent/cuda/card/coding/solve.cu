// The working sets of a batch: blocks take signal after signal.
#include "ardent/cuda/card/coding/kernels.h"
#include "ardent/cuda/card/coding/working_set.cuh"

namespace ardent::coding {
namespace {

constexpr int kThreads = 128;

__global__ void __launch_bounds__(kThreads) solve(Batch b, Signals signals, Scratch scratch) {
  __shared__ int taken;
  double* const numbers = scratch.numbers + scratch.per_block * blockIdx.x;
  while (true) {
    __syncthreads();
    if (threadIdx.x == 0) taken = atomicAdd(scratch.next, 1);
    __syncthreads();
    if (taken >= signals.count) return;
    const int s = signals.which[taken];
    const int m = b.set_size[s];
    if (m == 0) continue;
    const size_t begin = (size_t)b.atoms * s, square = (size_t)m * m;
    double* const factor = numbers + square;
    double* const vectors = factor + square + m;
    int* const support = reinterpret_cast<int*>(vectors + (size_t)WorkingSet<kThreads>::kVectors * m);
    WorkingSet<kThreads> set(m, numbers, factor, vectors, support, b.nonnegative);
    set.load(b.set + begin, b.theta + begin, b.rho + begin, b.weights + begin, b.gram, b.atoms);
    set.solve(b.solve[s].inner_tolerance, b.signal[s].norm);
    set.store(b.theta + begin);
  }
}

}  // namespace

std::size_t numbers_to_solve(std::size_t most_atoms) {
  // Gram matrix, factor with a right-hand side, vectors, support.
  return most_atoms * (2 * most_atoms + 1 + WorkingSet<kThreads>::kVectors + 1);
}

int blocks_that_solve(const Card&) {
  int device = 0, processors = 0, each = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, solve, kThreads, 0));
  return processors * each;
}

void solve_sets(const Card& card, const Batch& batch, Signals signals, Scratch scratch) {
  if (signals.count == 0) return;
  check(cudaMemsetAsync(scratch.next, 0, sizeof(int), card.stream()));
  const int blocks = signals.count < scratch.blocks ? signals.count : scratch.blocks;
  solve<<<blocks, kThreads, 0, card.stream()>>>(batch, signals, scratch);
  check(cudaGetLastError());
}

}  // namespace ardent::coding
