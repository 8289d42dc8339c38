// AᵀB for tall dense A and B, both stored by columns: every entry is an inner product of two
// contiguous columns.
//
// A general matrix product packs its arguments first, which costs more than the product itself when
// B has a few columns. Here tiles of 4×4 inner products run straight on the columns.
//
// An entry has the same bits whatever else is computed beside it: the order of its additions
// depends on the length of the columns alone. Gram rows may therefore be made one by one, in
// batches, or by another thread.
#pragma once

#include <span>

#include "ardent/base/types.h"

namespace ardent {

/// out(i, j) = a_iᵀ b_j for i < a_count and j < b_count, where a_i = a + i·length, b_j likewise and
/// out_j = out + j·out_stride. Parallel over the columns of A.
void column_products(const double* a, Index a_count, const double* b, Index b_count, Index length,
                     double* out, Index out_stride);

/// out[k] = a_iᵀ v for i = which[k]: the same bits as above. Parallel over the list.
void listed_products(const double* a, std::span<const Index> which, const double* v, Index length,
                     double* out);

/// Columns of A, ascending, and a vector to multiply them with.
struct ProductList {
  std::span<const Index> which;
  const double* v;
  double* out;
};

/// The same for several vectors: columns of A go through the cache once for all of them. Parallel
/// over the columns of A.
void listed_products(const double* a, Index a_count, std::span<const ProductList> lists,
                     Index length);

}  // namespace ardent
