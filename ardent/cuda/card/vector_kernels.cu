#include "ardent/cuda/card/sums.cuh"
#include "ardent/cuda/card/vector_kernels.h"

namespace ardent {

double dot_on_card(const Card& card, std::size_t size, const double* x, const double* y) {
  return sums_of<1>(
      card, size, [=] __device__(std::ptrdiff_t i, double(&own)[1]) { own[0] += x[i] * y[i]; })[0];
}

double sum_on_card(const Card& card, std::size_t size, const double* x) {
  return sums_of<1>(card, size,
                    [=] __device__(std::ptrdiff_t i, double(&own)[1]) { own[0] += x[i]; })[0];
}

void add_scaled_on_card(const Card& card, std::size_t size, double factor, const double* x,
                        double* y) {
  for_each_on_card(card, size, [=] __device__(std::ptrdiff_t i) { y[i] += factor * x[i]; });
}

}  // namespace ardent
