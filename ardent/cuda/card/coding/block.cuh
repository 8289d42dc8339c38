// What the threads of one block do together, in an order that depends on nothing but the numbers of
// terms and threads.
#pragma once

#include <cmath>

namespace ardent {

constexpr unsigned kWholeWarp = ~0u;

/// Every thread gets the sum. The first barrier lets `scratch` (a number per warp) be used again.
template <int threads>
__device__ double block_sum(double value, double* scratch) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(kWholeWarp, value, step);
  __syncthreads();
  if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
  __syncthreads();
  double sum = scratch[0];
  for (int warp = 1; warp < threads / 32; ++warp) sum += scratch[warp];
  return sum;
}

/// Every thread gets the largest.
template <int threads>
__device__ double block_max(double value, double* scratch) {
  for (int step = 16; step > 0; step /= 2) {
    value = fmax(value, __shfl_xor_sync(kWholeWarp, value, step));
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
  __syncthreads();
  double most = scratch[0];
  for (int warp = 1; warp < threads / 32; ++warp) most = fmax(most, scratch[warp]);
  return most;
}

/// How many threads before this one have `flag`; `total` of all.
template <int threads>
__device__ int block_rank(bool flag, int* scratch, int& total) {
  const unsigned votes = __ballot_sync(kWholeWarp, flag);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  __syncthreads();
  if (lane == 0) scratch[warp] = __popc(votes);
  __syncthreads();
  int rank = __popc(votes & ((1u << lane) - 1));
  total = 0;
  for (int w = 0; w < threads / 32; ++w) {
    if (w < warp) rank += scratch[w];
    total += scratch[w];
  }
  return rank;
}

/// Of the places 0 … count in order those that `keep` wants: `store(rank, load(place))` for each, by
/// the first warp alone. What is stored may overwrite what was loaded. Every thread gets how many.
template <class Keep, class Load, class Store>
__device__ int block_select(int count, Keep keep, Load load, Store store, int* shared_total) {
  __syncthreads();
  if (threadIdx.x < 32) {
    const int lane = threadIdx.x;
    int kept = 0;
    for (int begin = 0; begin < count; begin += 32) {
      const int place = begin + lane;
      const bool wanted = place < count && keep(place);
      const auto value = load(wanted ? place : begin);
      const unsigned votes = __ballot_sync(kWholeWarp, wanted);
      if (wanted) store(kept + __popc(votes & ((1u << lane) - 1)), value);
      kept += __popc(votes);
      __syncwarp();
    }
    if (lane == 0) *shared_total = kept;
  }
  __syncthreads();
  return *shared_total;
}

}  // namespace ardent
