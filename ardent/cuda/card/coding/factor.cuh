// Cholesky factors of the small matrices of one signal, by one block.
//
// L (by columns, `height` rows a column) has k columns and height >= k rows: rows from k on are
// right-hand sides b of which L⁻¹b is left. Left-looking: a column costs j products per row, each
// row one thread.
#pragma once

#include "ardent/cuda/card/coding/block.cuh"

namespace ardent {

/// `element(i, j)`: the matrix below its diagonal, and the right-hand sides. Stops at the first
/// column whose pivot is at most `least` of its diagonal element, or no number, and returns it;
/// k: there is none. `row` has place for k numbers.
template <int threads, class Element>
__device__ int block_cholesky(int k, int height, Element element, double least, double* factor,
                              double* row) {
  __shared__ double pivot;
  for (int j = 0; j < k; ++j) {
    __syncthreads();
    for (int l = threadIdx.x; l < j; l += threads) row[l] = factor[j + (size_t)height * l];
    __syncthreads();
    double own = 0;  // of the thread's first row
    for (int i = j + threadIdx.x; i < height; i += threads) {
      const double* const left = factor + i;
      double sums[4] = {element(i, j), 0, 0, 0};
      int l = 0;
      for (; l + 4 <= j; l += 4) {
        for (int part = 0; part < 4; ++part) {
          sums[part] = fma(-left[(size_t)height * (l + part)], row[l + part], sums[part]);
        }
      }
      for (; l < j; ++l) sums[0] = fma(-left[(size_t)height * l], row[l], sums[0]);
      const double rest = (sums[0] + sums[1]) + (sums[2] + sums[3]);
      factor[i + (size_t)height * j] = rest;
      if (i == j) own = rest;
    }
    if (threadIdx.x == 0) pivot = own;
    __syncthreads();
    if (!(pivot > least * element(j, j)) || !isfinite(pivot)) return j;
    const double root = sqrt(pivot);
    for (int i = j + threadIdx.x; i < height; i += threads) {
      double& entry = factor[i + (size_t)height * j];
      entry = i == j ? root : entry / root;
    }
  }
  __syncthreads();
  return k;
}

/// x = L⁻ᵀ z over the first k columns, z = row `from` of the factor. By the first warp.
template <int threads>
__device__ void block_back_substitute(int k, int height, int from, const double* factor, double* x) {
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int j = k - 1; j >= 0; --j) {
      const double* const column = factor + (size_t)height * j;
      double sum = 0;
      for (int i = j + 1 + threadIdx.x; i < k; i += 32) sum = fma(column[i], x[i], sum);
      for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(kWholeWarp, sum, step);
      if (threadIdx.x == 0) x[j] = (column[from] - sum) / column[j];
      __syncwarp();
    }
  }
  __syncthreads();
}

}  // namespace ardent
