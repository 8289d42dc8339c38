// Signals before they are coded, the weights of their first LASSO, and their residuals.
#include "ardent/cuda/card/coding/block.cuh"
#include "ardent/cuda/card/coding/kernels.h"

namespace ardent::coding {
namespace {

constexpr int kThreads = 256;

__global__ void describe(Batch b) {
  __shared__ double scratch[kThreads / 32];
  __shared__ int places[kThreads];
  const int s = blockIdx.x;
  const double* const y = b.y + (size_t)b.length * s;
  const double* const rho = b.rho + (size_t)b.atoms * s;
  double square = 0, largest = 0, cosine = 0;
  int nearest = -1;
  for (int i = threadIdx.x; i < b.length; i += kThreads) square = fma(y[i], y[i], square);
  for (int i = threadIdx.x; i < b.atoms; i += kThreads) {
    if (b.norms[i] == 0) continue;
    const double product = fabs(rho[i]);
    largest = fmax(largest, product);
    if (product / b.norms[i] > cosine) {
      cosine = product / b.norms[i];
      nearest = i;
    }
  }
  const double norm = sqrt(block_sum<kThreads>(square, scratch));
  const double most = block_max<kThreads>(largest, scratch);
  const double best = block_max<kThreads>(cosine, scratch);
  places[threadIdx.x] = nearest >= 0 && cosine == best ? nearest : b.atoms;
  __syncthreads();
  if (threadIdx.x > 0) return;
  int first = b.atoms;
  for (int t = 0; t < kThreads; ++t) first = min(first, places[t]);
  b.signal[s] = {norm, most, best, first == b.atoms ? -1 : first};
}

__global__ void first_weights(Batch b, Signals signals, bool ones) {
  const int s = signals.which[blockIdx.x];
  const double lambda = b.lambda[s];
  const double root = sqrt(lambda);
  double* const weights = b.weights + (size_t)b.atoms * s;
  for (int i = threadIdx.x; i < b.atoms; i += kThreads) {
    const double d = b.norms[i];
    weights[i] = d == 0 ? INFINITY : ones ? lambda : lambda * (d / root);
  }
}

__global__ void clear(Batch b, Signals signals) {
  const int s = signals.which[blockIdx.x];
  unsigned char* const in_set = b.in_set + (size_t)b.atoms * s;
  for (int i = threadIdx.x; i < b.atoms; i += kThreads) in_set[i] = 0;
  if (threadIdx.x == 0) b.set_size[s] = 0;
}

__global__ void begin(Batch b, Signals signals, double inner_tolerance) {
  const int k = blockIdx.x * kThreads + threadIdx.x;
  if (k >= signals.count) return;
  b.solve[signals.which[k]] = {0, 0, inner_tolerance, State::running, 0};
}

__global__ void residuals_of(Batch b, Signals signals, double* residuals) {
  const int s = signals.which[blockIdx.x];
  const int* const set = b.set + (size_t)b.atoms * s;
  const double* const theta = b.theta + (size_t)b.atoms * s;
  const int size = b.set_size[s];
  for (int i = threadIdx.x; i < b.length; i += kThreads) {
    double rest = b.y[(size_t)b.length * s + i];
    for (int p = 0; p < size; ++p) {
      if (theta[p] == 0) continue;
      rest = fma(-theta[p], b.dictionary[(size_t)b.length * set[p] + i], rest);
    }
    residuals[(size_t)b.length * blockIdx.x + i] = rest;
  }
}

__global__ void support(Batch b, Signals signals) {
  __shared__ int total;
  const int s = signals.which[blockIdx.x];
  int* const set = b.set + (size_t)b.atoms * s;
  double* const theta = b.theta + (size_t)b.atoms * s;
  unsigned char* const in_set = b.in_set + (size_t)b.atoms * s;
  const int size = b.set_size[s];
  for (int p = threadIdx.x; p < size; p += 32) {
    if (theta[p] == 0) in_set[set[p]] = 0;
  }
  struct Entry {
    int atom;
    double value;
  };
  block_select(
      size, [&](int p) { return theta[p] != 0; }, [&](int p) { return Entry{set[p], theta[p]}; },
      [&](int rank, Entry entry) {
        set[rank] = entry.atom;
        theta[rank] = entry.value;
      },
      &total);
  if (threadIdx.x == 0) b.set_size[s] = total;
}

}  // namespace

void describe_signals(const Card& card, const Batch& batch) {
  describe<<<batch.signals, kThreads, 0, card.stream()>>>(batch);
  check(cudaGetLastError());
}

void set_first_weights(const Card& card, const Batch& batch, Signals signals, bool ones) {
  if (signals.count == 0) return;
  first_weights<<<signals.count, kThreads, 0, card.stream()>>>(batch, signals, ones);
  check(cudaGetLastError());
}

void clear_codes(const Card& card, const Batch& batch, Signals signals) {
  if (signals.count == 0) return;
  clear<<<signals.count, kThreads, 0, card.stream()>>>(batch, signals);
  check(cudaGetLastError());
}

void begin_lasso(const Card& card, const Batch& batch, Signals signals, double inner_tolerance) {
  if (signals.count == 0) return;
  const int blocks = (signals.count + kThreads - 1) / kThreads;
  begin<<<blocks, kThreads, 0, card.stream()>>>(batch, signals, inner_tolerance);
  check(cudaGetLastError());
}

void find_residuals(const Card& card, const Batch& batch, Signals signals, double* residuals) {
  if (signals.count == 0) return;
  residuals_of<<<signals.count, kThreads, 0, card.stream()>>>(batch, signals, residuals);
  check(cudaGetLastError());
}

void keep_support(const Card& card, const Batch& batch, Signals signals) {
  if (signals.count == 0) return;
  support<<<signals.count, 32, 0, card.stream()>>>(batch, signals);
  check(cudaGetLastError());
}

}  // namespace ardent::coding
