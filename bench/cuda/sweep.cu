// sweep [ROWS] [COLUMNS] [FEATURES_ON]: what the two moves that fill a sweep of the doubly sparse
// sampler (bench/masks parts: a visit of a feature, a birth) would take on a card, decision on the
// host included, since each begins where the last one ended.
//   visit  distances with a feature toggled, exp, Q = diag(p) + KᵀΩK, v = Kᵀκ (N m exps, N m²),
//          Q and v to the host, its Cholesky factor there
//   birth  a candidate's column, its products with all others (N |ζ| + N m), those to the host, a
//          triangular solve there
// Sums are block by block in a fixed order, as the library's on a card are.
#include <cuda_runtime.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kRows = 64;  // of a block
constexpr int kThreads = 256;

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(1);
}

/// Row-blocks of the toggled distances and kernel values, and of Q (packed lower triangle) and v.
__global__ void visit(int n, int m, const double* x_k, const double* c_k, double sign, double delta,
                      const double* distances, const double* omega, const double* kappa,
                      double* new_distances, double* new_kernel, double* partial) {
  extern __shared__ double tile[];  // kRows × m, ω, κ
  const int first = blockIdx.x * kRows, rows = min(kRows, n - first);
  double* weights = tile + kRows * m;
  double* targets = weights + kRows;
  for (int e = threadIdx.x; e < rows * m; e += kThreads) {
    const int i = e % rows, j = e / rows;
    const double difference = x_k[first + i] - c_k[j];
    const double d = fmax(0.0, distances[j * n + first + i] + sign * difference * difference);
    const double k = exp(-delta * d);
    new_distances[j * n + first + i] = d;
    new_kernel[j * n + first + i] = k;
    tile[i * m + j] = k;
  }
  for (int i = threadIdx.x; i < rows; i += kThreads) {
    weights[i] = omega[first + i];
    targets[i] = kappa[first + i];
  }
  __syncthreads();
  const int entries = m * (m + 1) / 2 + m;
  for (int e = threadIdx.x; e < entries; e += kThreads) {
    double sum = 0;
    if (e < m * (m + 1) / 2) {
      int row = static_cast<int>((sqrt(8.0 * e + 1) - 1) / 2);
      while (row * (row + 1) / 2 > e) --row;
      while ((row + 1) * (row + 2) / 2 <= e) ++row;
      const int col = e - row * (row + 1) / 2;
      for (int i = 0; i < rows; ++i) sum += weights[i] * (tile[i * m + row] * tile[i * m + col]);
    } else {
      const int j = e - m * (m + 1) / 2;
      for (int i = 0; i < rows; ++i) sum += targets[i] * tile[i * m + j];
    }
    partial[static_cast<std::size_t>(e) * gridDim.x + blockIdx.x] = sum;
  }
}

/// A candidate's column and its products with the others, itself and κ.
__global__ void birth(int n, int m, int on, const double* x_on, const double* centre, double delta,
                      const double* kernel, const double* omega, const double* kappa,
                      double* column, double* partial) {
  __shared__ double own[kRows], weighted[kRows], target[kRows];
  const int first = blockIdx.x * kRows, rows = min(kRows, n - first);
  for (int i = threadIdx.x; i < rows; i += kThreads) {
    double d = 0;
    for (int k = 0; k < on; ++k) {
      const double difference = x_on[k * n + first + i] - centre[k];
      d += difference * difference;
    }
    own[i] = exp(-delta * d);
    weighted[i] = omega[first + i] * own[i];
    target[i] = kappa[first + i];
    column[first + i] = own[i];
  }
  __syncthreads();
  // A warp for each product.
  for (int j = threadIdx.x / 32; j < m + 2; j += kThreads / 32) {
    double sum = 0;
    for (int i = threadIdx.x % 32; i < rows; i += 32) {
      const double other = j < m ? kernel[j * n + first + i] : j == m ? own[i] : 0;
      sum += j <= m ? weighted[i] * other : target[i] * own[i];
    }
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x % 32 == 0) partial[static_cast<std::size_t>(j) * gridDim.x + blockIdx.x] = sum;
  }
}

/// One warp for each entry.
__global__ void sum_partials(int entries, int blocks, const double* partial, double* out) {
  const int e = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (e >= entries) return;
  double sum = 0;
  for (int b = threadIdx.x % 32; b < blocks; b += 32)
    sum += partial[static_cast<std::size_t>(e) * blocks + b];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) out[e] = sum;
}

double* on_card(const std::vector<double>& values) {
  double* data = nullptr;
  check(cudaMalloc(&data, values.size() * sizeof(double)));
  check(cudaMemcpy(data, values.data(), values.size() * sizeof(double), cudaMemcpyHostToDevice));
  return data;
}

/// log|Q|/2 − vᵀQ⁻¹v/2 of a packed lower triangle.
double evidence(int m, const double* packed, const double* v) {
  std::vector<double> l(packed, packed + m * (m + 1) / 2), h(v, v + m);
  const auto at = [&](int r, int c) -> double& { return l[r * (r + 1) / 2 + c]; };
  double value = 0;
  for (int r = 0; r < m; ++r) {
    at(r, r) += 1;
    for (int c = 0; c <= r; ++c) {
      double sum = at(r, c);
      for (int k = 0; k < c; ++k) sum -= at(r, k) * at(c, k);
      at(r, c) = c < r ? sum / at(c, c) : std::sqrt(sum);
    }
    for (int c = 0; c < r; ++c) h[r] -= at(r, c) * h[c];
    h[r] /= at(r, r);
    value += std::log(at(r, r)) - h[r] * h[r] / 2;
  }
  return value;
}

template <class Move>
double microseconds(int repeats, Move move) {
  for (int k = 0; k < 20; ++k) move();
  const auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < repeats; ++k) move();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return 1e6 * taken.count() / repeats;
}

}  // namespace

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 20000, m = argc > 2 ? std::atoi(argv[2]) : 35,
            on = argc > 3 ? std::atoi(argv[3]) : 4;
  const int blocks = (n + kRows - 1) / kRows, entries = m * (m + 1) / 2 + m;
  std::srand(1);
  const auto uniform = [] { return std::rand() / (RAND_MAX + 1.0); };
  const auto vector = [&](std::size_t size) {
    std::vector<double> values(size);
    for (double& value : values) value = uniform();
    return values;
  };
  double *x = on_card(vector(static_cast<std::size_t>(n) * on)), *c = on_card(vector(m)),
         *omega = on_card(vector(n)), *kappa = on_card(vector(n)),
         *distances = on_card(vector(static_cast<std::size_t>(n) * m)),
         *kernel = on_card(vector(static_cast<std::size_t>(n) * m)),
         *new_distances = on_card(vector(static_cast<std::size_t>(n) * m)),
         *new_kernel = on_card(vector(static_cast<std::size_t>(n) * m)),
         *column = on_card(vector(n)),
         *partial = on_card(vector(static_cast<std::size_t>(entries) * blocks)),
         *sums = on_card(vector(entries));
  double* host = nullptr;
  check(cudaMallocHost(&host, entries * sizeof(double)));
  cudaStream_t stream;
  check(cudaStreamCreate(&stream));
  const int tile = (kRows * m + 2 * kRows) * static_cast<int>(sizeof(double));
  check(cudaFuncSetAttribute(visit, cudaFuncAttributeMaxDynamicSharedMemorySize, tile));
  double kept = 0;
  const auto to_host = [&](int count) {
    sum_partials<<<(count * 32 + kThreads - 1) / kThreads, kThreads, 0, stream>>>(count, blocks,
                                                                                  partial, sums);
    check(cudaMemcpyAsync(host, sums, count * sizeof(double), cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
  };
  const double of_visit = microseconds(1000, [&] {
    visit<<<blocks, kThreads, tile, stream>>>(n, m, x, c, 1, 0.5, distances, omega, kappa,
                                              new_distances, new_kernel, partial);
    to_host(entries);
    kept += evidence(m, host, host + m * (m + 1) / 2);
  });
  const double of_birth = microseconds(1000, [&] {
    birth<<<blocks, kThreads, 0, stream>>>(n, m, on, x, c, 0.5, kernel, omega, kappa, column,
                                           partial);
    to_host(m + 2);
    // A triangular solve with m columns, and its squares.
    double sum = 0;
    for (int r = 0; r < m; ++r) {
      for (int k = 0; k < r; ++k) sum += host[k] * 1e-3;
      sum += host[r] * host[r];
    }
    kept += sum;
  });
  check(cudaGetLastError());
  std::printf("%d rows, %d columns, %d features on: a visit %.1f µs, a birth %.1f µs (%g)\n", n, m,
              on, of_visit, of_birth, kept);
}
