// Aᵀ diag(d) A for a sparse A, as a dense matrix.
#pragma once

#include "ardent/data/matrix.h"

namespace ardent {

/// out = Σ_i weights_i a_i a_iᵀ over the sparse rows a_i, both triangles. `by_row` holds A and
/// `by_column` its transpose. Costs Σ_i nnz(a_i)² / 2 scattered additions; where the rows are so
/// full that N M² / 2 packed ones are quicker, blocks of rows are made dense and multiplied.
void sparse_weighted_gram(const SparseRows& by_row, const SparseRows& by_column,
                          const Vector& weights, Matrix& out);

}  // namespace ardent
