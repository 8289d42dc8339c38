// What products with a design on a card need beside the products: number by number, and for the
// bias. Pointers are to the card's memory.
#pragma once

#include <cstdint>

#include "ardent/cuda/card/memory.h"

namespace ardent {

/// out = a ∘ b
void multiply_elements(const Card& card, std::size_t size, const double* a, const double* b,
                       double* out);
/// x ← (x + *constant) ∘ multiplier; either may be null.
void add_constant_and_multiply(const Card& card, std::size_t size, const double* constant,
                               const double* multiplier, double* x);
/// x ← factor x + alpha ∘ v
void scale_and_add_product(const Card& card, std::size_t size, double factor, const double* alpha,
                           const double* v, double* x);
/// *out = factor Σ r + *alpha · *v; v may be null and stands for 1.
void sum_for_bias(const Card& card, std::size_t size, const double* r, double factor,
                  const double* alpha, const double* v, double* out);
/// out_k = Σ_i beta_i phi_ik² + alpha_k of a column-major matrix.
void dense_square_norms(const Card& card, std::size_t rows, std::size_t columns, const double* phi,
                        const double* beta, const double* alpha, double* out);
/// out_k = x[positions_k]
void gather(const Card& card, const double* x, const std::uint32_t* positions, std::size_t count,
            double* out);
void gather(const Card& card, const std::uint32_t* x, const std::uint32_t* positions,
            std::size_t count, std::uint32_t* out);
template <class T>
CardArray<T> gathered(Card& card, const T* x, const std::uint32_t* positions, std::size_t count) {
  CardArray<T> result(card, count);
  gather(card, x, positions, count, result.data());
  return result;
}
/// The columns at these positions of a column-major matrix.
void gather_columns(const Card& card, std::size_t rows, const double* phi,
                    const std::uint32_t* positions, std::size_t count, double* out);

}  // namespace ardent
