// AᵀB with every entry summed in one order, whatever the shapes: a library's product chooses its
// order by them, and codes would depend on what else is in the batch.
//
// A block computes 128×128 entries, a thread 8×8 of them 16 apart. What a block needs next is
// fetched while it computes.
#include "ardent/cuda/card/coding/kernels.h"

namespace ardent::coding {
namespace {

constexpr int kTile = 128;   // entries of a block, each way
constexpr int kSide = 16;    // threads of a block, each way
constexpr int kEach = kTile / kSide;
constexpr int kDepth = 8;    // terms at a time
constexpr int kThreads = kSide * kSide;
constexpr int kFetched = kTile * kDepth / kThreads;
constexpr int kPadded = kTile + 2;  // no two threads of a half warp store to one bank

struct Columns {
  const double* values;
  int count;
};

/// The thread's share of terms depth … depth + 8 of the tile's columns.
__device__ void fetch(Columns from, int length, int first, int depth, double (&values)[kFetched]) {
  const int term = depth + static_cast<int>(threadIdx.x) % kDepth;
  for (int part = 0; part < kFetched; ++part) {
    const int column = first + static_cast<int>(threadIdx.x) / kDepth + part * (kThreads / kDepth);
    const bool there = column < from.count && term < length;
    values[part] = there ? from.values[(size_t)length * column + term] : 0;
  }
}

__device__ void keep(const double (&values)[kFetched], double (&tile)[kDepth][kPadded]) {
  for (int part = 0; part < kFetched; ++part) {
    tile[threadIdx.x % kDepth][threadIdx.x / kDepth + part * (kThreads / kDepth)] = values[part];
  }
}

__device__ void add_products(const double (&a)[kDepth][kPadded], const double (&b)[kDepth][kPadded],
                             int x, int y, double (&sums)[kEach][kEach]) {
  for (int term = 0; term < kDepth; ++term) {
    double left[kEach], right[kEach];
    for (int i = 0; i < kEach; ++i) left[i] = a[term][x + kSide * i];
    for (int j = 0; j < kEach; ++j) right[j] = b[term][y + kSide * j];
    for (int i = 0; i < kEach; ++i) {
      for (int j = 0; j < kEach; ++j) sums[i][j] = fma(left[i], right[j], sums[i][j]);
    }
  }
}

__global__ void __launch_bounds__(kThreads)
    multiply_tiles(Columns a, Columns b, int length, double* out) {
  __shared__ double tile_of_a[kDepth][kPadded], tile_of_b[kDepth][kPadded];
  const int first_a = blockIdx.x * kTile, first_b = blockIdx.y * kTile;
  const int x = threadIdx.x % kSide, y = threadIdx.x / kSide;
  double sums[kEach][kEach] = {};
  double next_a[kFetched], next_b[kFetched];
  fetch(a, length, first_a, 0, next_a);
  fetch(b, length, first_b, 0, next_b);
  for (int depth = 0; depth < length; depth += kDepth) {
    keep(next_a, tile_of_a);
    keep(next_b, tile_of_b);
    __syncthreads();
    if (depth + kDepth < length) {
      fetch(a, length, first_a, depth + kDepth, next_a);
      fetch(b, length, first_b, depth + kDepth, next_b);
    }
    add_products(tile_of_a, tile_of_b, x, y, sums);
    __syncthreads();
  }
  for (int j = 0; j < kEach; ++j) {
    const int column = first_b + y + kSide * j;
    if (column >= b.count) continue;
    for (int i = 0; i < kEach; ++i) {
      const int row = first_a + x + kSide * i;
      if (row < a.count) out[(size_t)a.count * column + row] = sums[i][j];
    }
  }
}

}  // namespace

void multiply(const Card& card, const double* a, int a_count, const double* b, int b_count,
              int length, double* out) {
  if (a_count == 0 || b_count == 0) return;
  constexpr int kMostRows = 65535 * kTile;  // of a grid's second side
  for (int begin = 0; begin < b_count; begin += kMostRows) {
    const int count = b_count - begin < kMostRows ? b_count - begin : kMostRows;
    const dim3 grid((a_count + kTile - 1) / kTile, (count + kTile - 1) / kTile);
    multiply_tiles<<<grid, kThreads, 0, card.stream()>>>(
        {a, a_count}, {b + (size_t)length * begin, count}, length, out + (size_t)a_count * begin);
    check(cudaGetLastError());
  }
}

}  // namespace ardent::coding
