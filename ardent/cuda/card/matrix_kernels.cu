#include "ardent/cuda/card/matrix_kernels.h"
#include "ardent/cuda/card/sums.cuh"

namespace ardent {
namespace {

constexpr double kNearFraction = 1e-2;  // as in design/squared_distances.cpp
constexpr double kLeastKernel = 1e-300;
constexpr int kMostGridColumns = 65535;
constexpr int kTile = 32, kTileRows = 8;

/// do_it(i, k) for every entry.
template <class DoIt>
__global__ void do_entries(Index rows, Index cols, DoIt do_it) {
  const Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  for (Index k = blockIdx.y; k < cols; k += gridDim.y) do_it(i, k);
}

template <class DoIt>
void for_entries(const Card& card, Index rows, Index cols, DoIt do_it) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid(static_cast<unsigned>((rows + kSumThreads - 1) / kSumThreads),
                  static_cast<unsigned>(cols < kMostGridColumns ? cols : kMostGridColumns));
  do_entries<<<grid, kSumThreads, 0, card.stream()>>>(rows, cols, do_it);
  check(cudaGetLastError());
}

__global__ void sum_column_squares(CardBlock<const double> a, const double* weights, double* out) {
  const double* column = a.data + blockIdx.x * a.stride;
  double own[1] = {};
  for (Index i = threadIdx.x; i < a.rows; i += kSumThreads) {
    const double square = column[i] * column[i];
    own[0] += weights ? weights[i] * square : square;
  }
  sum_over_block(own);
  if (threadIdx.x == 0) out[blockIdx.x] = own[0];
}

__global__ void mirror_tiles(CardBlock<double> a) {
  __shared__ double tile[kTile][kTile + 1];
  if (blockIdx.y > blockIdx.x) return;  // tiles of the lower triangle: rows x, columns y
  const Index first_row = static_cast<Index>(blockIdx.x) * kTile,
              first_col = static_cast<Index>(blockIdx.y) * kTile;
  for (int k = threadIdx.y; k < kTile; k += kTileRows) {
    const Index row = first_row + threadIdx.x, col = first_col + k;
    if (row < a.rows && col < a.cols) tile[k][threadIdx.x] = a.data[row + col * a.stride];
  }
  __syncthreads();
  for (int k = threadIdx.y; k < kTile; k += kTileRows) {
    const Index row = first_col + threadIdx.x, col = first_row + k;
    if (row < col && row < a.rows && col < a.cols) {
      a.data[row + col * a.stride] = tile[threadIdx.x][k];
    }
  }
}

}  // namespace

void kernel_from_products(const Card& card, CardBlock<const double> x, CardBlock<const double> z,
                          const double* x_square_norms, const double* z_square_norms, double sigma,
                          CardBlock<double> products) {
  for_entries(card, products.rows, products.cols, [=] __device__(Index i, Index k) {
    double& entry = products.data[i + k * products.stride];
    const double sum = x_square_norms[i] + z_square_norms[k];
    double distance = sum - 2 * entry;
    if (!(distance > kNearFraction * sum)) {
      const double* own = x.data + i * x.stride;
      const double* other = z.data + k * z.stride;
      distance = 0;
      for (Index j = 0; j < x.rows; ++j) {
        const double difference = own[j] - other[j];
        distance += difference * difference;
      }
    }
    if (sigma == 0) {
      entry = distance;
      return;
    }
    const double phi = exp(-distance / sigma / sigma);
    entry = phi < kLeastKernel ? 0 : phi;
  });
}

void scale_entries(const Card& card, CardBlock<const double> a, const double* row_factors,
                   const double* column_factors, CardBlock<double> out) {
  for_entries(card, a.rows, a.cols, [=] __device__(Index i, Index k) {
    double entry = a.data[i + k * a.stride];
    if (row_factors) entry *= row_factors[i];
    if (column_factors) entry *= column_factors[k];
    out.data[i + k * out.stride] = entry;
  });
}

void column_square_norms(const Card& card, CardBlock<const double> a, const double* weights,
                         double* out) {
  if (a.cols == 0) return;
  sum_column_squares<<<static_cast<unsigned>(a.cols), kSumThreads, 0, card.stream()>>>(a, weights,
                                                                                       out);
  check(cudaGetLastError());
}

void gather_columns(const Card& card, CardBlock<const double> a, const Index* which,
                    CardBlock<double> out) {
  for_entries(card, out.rows, out.cols, [=] __device__(Index i, Index k) {
    out.data[i + k * out.stride] = a.data[i + which[k] * a.stride];
  });
}

void gather_square(const Card& card, CardBlock<const double> a, const Index* which,
                      CardBlock<double> out) {
  for_entries(card, out.rows, out.cols, [=] __device__(Index i, Index k) {
    out.data[i + k * out.stride] = a.data[which[i] + which[k] * a.stride];
  });
}

void scale_symmetric(const Card& card, CardBlock<const double> a, double factor, const double* f,
                     double diagonal, CardBlock<double> out) {
  for_entries(card, out.rows, out.cols, [=] __device__(Index i, Index k) {
    if (i < k) return;
    out.data[i + k * out.stride] =
        i == k ? diagonal : factor * (f[i] * (f[k] * a.data[i + k * a.stride]));
  });
}

void mirror_lower(const Card& card, CardBlock<double> a) {
  const auto tiles = static_cast<unsigned>((a.rows + kTile - 1) / kTile);
  if (tiles == 0) return;
  mirror_tiles<<<dim3(tiles, tiles), dim3(kTile, kTileRows), 0, card.stream()>>>(a);
  check(cudaGetLastError());
}

void take_diagonal(const Card& card, CardBlock<const double> a, double* out) {
  for_each_on_card(card, a.cols, [=] __device__(Index k) { out[k] = a.data[k + k * a.stride]; });
}

void set_identity(const Card& card, CardBlock<double> a) {
  for_entries(card, a.rows, a.cols,
              [=] __device__(Index i, Index k) { a.data[i + k * a.stride] = i == k ? 1 : 0; });
}

}  // namespace ardent
