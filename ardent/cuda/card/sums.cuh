// Sums over the card's threads in an order that depends on the number of terms alone: the same bits
// from run to run, and from card to card.
//
// Each of at most 1,024 blocks sums its own terms, thread by thread and then as a tree; one more
// block sums theirs.
#pragma once

#include <array>

#include "ardent/cuda/card/card.h"

namespace ardent {

constexpr int kSumThreads = 256;

inline int sum_blocks(std::ptrdiff_t count) {
  const std::ptrdiff_t blocks = (count + kSumThreads - 1) / kSumThreads;
  return static_cast<int>(blocks < 1 ? 1 : blocks < Card::kMostBlocks ? blocks : Card::kMostBlocks);
}

/// The block's sums of every thread's `own`, in thread 0's `own`.
template <int sums>
__device__ void sum_over_block(double (&own)[sums]) {
  __shared__ double of_warps[sums][kSumThreads / 32];
  for (int s = 0; s < sums; ++s) {
    for (int step = 16; step > 0; step /= 2) own[s] += __shfl_down_sync(~0u, own[s], step);
    if (threadIdx.x % 32 == 0) of_warps[s][threadIdx.x / 32] = own[s];
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int s = 0; s < sums; ++s) {
      own[s] = of_warps[s][0];
      for (int warp = 1; warp < kSumThreads / 32; ++warp) own[s] += of_warps[s][warp];
    }
  }
}

template <int sums, class Term>
__global__ void sum_terms(std::ptrdiff_t count, Term term, double* partial) {
  double own[sums] = {};
  const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(gridDim.x) * kSumThreads;
  for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(blockIdx.x) * kSumThreads + threadIdx.x;
       i < count; i += stride) {
    term(i, own);
  }
  sum_over_block(own);
  if (threadIdx.x == 0) {
    for (int s = 0; s < sums; ++s) partial[s * gridDim.x + blockIdx.x] = own[s];
  }
}

template <int sums>
__global__ void sum_partial_sums(const double* partial, int blocks, double* total) {
  double own[sums] = {};
  for (int s = 0; s < sums; ++s) {
    for (int b = threadIdx.x; b < blocks; b += kSumThreads) own[s] += partial[s * blocks + b];
  }
  sum_over_block(own);
  if (threadIdx.x == 0) {
    for (int s = 0; s < sums; ++s) total[s] = own[s];
  }
}

/// Leaves the sums at `total`, on the card; term(i, own) adds its terms to own[0 … sums).
template <int sums, class Term>
void sum_on_card(const Card& card, std::ptrdiff_t count, Term term, double* total) {
  static_assert(sums <= Card::kMostSums);
  const int blocks = sum_blocks(count);
  sum_terms<sums><<<blocks, kSumThreads, 0, card.stream()>>>(count, term, card.partial_sums());
  sum_partial_sums<sums><<<1, kSumThreads, 0, card.stream()>>>(card.partial_sums(), blocks, total);
  check(cudaGetLastError());
}

/// The same, and waits for them.
template <int sums, class Term>
std::array<double, sums> sums_of(const Card& card, std::ptrdiff_t count, Term term) {
  sum_on_card<sums>(card, count, term, card.total_on_card());
  check(cudaMemcpyAsync(card.total_on_host(), card.total_on_card(), sums * sizeof(double),
                        cudaMemcpyDeviceToHost, card.stream()));
  card.wait();
  std::array<double, sums> result;
  for (int s = 0; s < sums; ++s) result[s] = card.total_on_host()[s];
  return result;
}

/// do_it(i) for every i < count.
template <class DoIt>
__global__ void do_each(std::ptrdiff_t count, DoIt do_it) {
  const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(gridDim.x) * blockDim.x;
  for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       i < count; i += stride) {
    do_it(i);
  }
}

template <class DoIt>
void for_each_on_card(const Card& card, std::ptrdiff_t count, DoIt do_it) {
  if (count == 0) return;
  const std::ptrdiff_t blocks = (count + kSumThreads - 1) / kSumThreads;
  do_each<<<static_cast<int>(blocks < 65536 ? blocks : 65536), kSumThreads, 0, card.stream()>>>(
      count, do_it);
  check(cudaGetLastError());
}

}  // namespace ardent
