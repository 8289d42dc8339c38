// What cuBLAS and cuSOLVER have no call for, of matrices in a card's memory, column-major. Each
// entry is computed by one thread, each sum in an order that depends on the sizes alone.
#pragma once

#include "ardent/base/types.h"

namespace ardent {

class Card;

/// A part of a matrix: column k begins at data + k·stride.
template <class T>
struct CardBlock {
  T* data;
  Index rows, cols, stride;
};

/// x_iᵀz_k → exp(−‖x_i − z_k‖²/σ²); σ = 0: → ‖x_i − z_k‖². Pairs that are near against their
/// norms are computed from differences, as on the processor (design/squared_distances.cpp).
void kernel_from_products(const Card& card, CardBlock<const double> x, CardBlock<const double> z,
                          const double* x_square_norms, const double* z_square_norms, double sigma,
                          CardBlock<double> products);

/// out = diag(row_factors) a diag(column_factors); null: 1.
void scale_entries(const Card& card, CardBlock<const double> a, const double* row_factors,
                   const double* column_factors, CardBlock<double> out);
/// out_k = Σ_i weights_i a_ik²; null: 1.
void column_square_norms(const Card& card, CardBlock<const double> a, const double* weights,
                         double* out);
/// out = a(:, which)
void gather_columns(const Card& card, CardBlock<const double> a, const Index* which,
                    CardBlock<double> out);
/// out = a(which, which)
void gather_square(const Card& card, CardBlock<const double> a, const Index* which,
                   CardBlock<double> out);
/// Lower triangle of out_ij = factor · f_i f_j a_ij, with `diagonal` on the diagonal.
void scale_symmetric(const Card& card, CardBlock<const double> a, double factor, const double* f,
                     double diagonal, CardBlock<double> out);
/// Copies the lower triangle over the upper one.
void mirror_lower(const Card& card, CardBlock<double> a);
/// out_k = a_kk
void take_diagonal(const Card& card, CardBlock<const double> a, double* out);
/// Ones on the diagonal, zeros elsewhere.
void set_identity(const Card& card, CardBlock<double> a);

}  // namespace ardent
