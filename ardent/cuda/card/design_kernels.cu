#include "ardent/cuda/card/design_kernels.h"
#include "ardent/cuda/card/sums.cuh"

namespace ardent {
namespace {

/// A block per column.
__global__ void square_norms(std::size_t rows, const double* phi, const double* beta,
                             const double* alpha, double* out) {
  const double* const column = phi + static_cast<std::size_t>(blockIdx.x) * rows;
  double own[1] = {};
  for (std::size_t i = threadIdx.x; i < rows; i += kSumThreads) {
    own[0] += beta[i] * column[i] * column[i];
  }
  sum_over_block(own);
  if (threadIdx.x == 0) out[blockIdx.x] = own[0] + alpha[blockIdx.x];
}

template <class T>
void gather_any(const Card& card, const T* x, const std::uint32_t* positions, std::size_t count,
                T* out) {
  for_each_on_card(card, count, [=] __device__(std::ptrdiff_t k) { out[k] = x[positions[k]]; });
}

}  // namespace

void multiply_elements(const Card& card, std::size_t size, const double* a, const double* b,
                       double* out) {
  for_each_on_card(card, size, [=] __device__(std::ptrdiff_t k) { out[k] = a[k] * b[k]; });
}

void add_constant_and_multiply(const Card& card, std::size_t size, const double* constant,
                               const double* multiplier, double* x) {
  if (!constant && !multiplier) return;
  for_each_on_card(card, size, [=] __device__(std::ptrdiff_t i) {
    const double sum = constant ? x[i] + *constant : x[i];
    x[i] = multiplier ? sum * multiplier[i] : sum;
  });
}

void scale_and_add_product(const Card& card, std::size_t size, double factor, const double* alpha,
                           const double* v, double* x) {
  for_each_on_card(card, size,
                   [=] __device__(std::ptrdiff_t k) { x[k] = factor * x[k] + alpha[k] * v[k]; });
}

void sum_for_bias(const Card& card, std::size_t size, const double* r, double factor,
                  const double* alpha, const double* v, double* out) {
  double* const sum = card.total_on_card();
  sum_on_card<1>(
      card, size, [=] __device__(std::ptrdiff_t i, double(&own)[1]) { own[0] += r[i]; }, sum);
  for_each_on_card(card, 1, [=] __device__(std::ptrdiff_t) {
    *out = factor * *sum + (v ? *alpha * *v : *alpha);
  });
}

void dense_square_norms(const Card& card, std::size_t rows, std::size_t columns, const double* phi,
                        const double* beta, const double* alpha, double* out) {
  if (columns == 0) return;
  square_norms<<<static_cast<unsigned>(columns), kSumThreads, 0, card.stream()>>>(rows, phi, beta,
                                                                                  alpha, out);
  check(cudaGetLastError());
}

void gather(const Card& card, const double* x, const std::uint32_t* positions, std::size_t count,
            double* out) {
  gather_any(card, x, positions, count, out);
}

void gather(const Card& card, const std::uint32_t* x, const std::uint32_t* positions,
            std::size_t count, std::uint32_t* out) {
  gather_any(card, x, positions, count, out);
}

void gather_columns(const Card& card, std::size_t rows, const double* phi,
                    const std::uint32_t* positions, std::size_t count, double* out) {
  for_each_on_card(card, rows * count, [=] __device__(std::ptrdiff_t i) {
    out[i] = phi[positions[i / rows] * rows + i % rows];
  });
}

}  // namespace ardent
