// The inner problem of the path engine: a quadratic with ℓ1 penalties in a few dozens to thousands
// of coordinates, by coordinate descent on its matrix.
//
//   minimise over x   ½(x − x₀)ᵀH(x − x₀) − gᵀ(x − x₀) + Σ_k p_k|x_k|,   p_k ≥ 0 (0: the bias)
//
//   x_k ← S(H_kk x_k + r_k, p_k)/H_kk,   r = g − H(x − x₀),   S the soft threshold
//
// A coordinate that does not move costs O(1), one that does a column of H.
#pragma once

#include "ardent/base/types.h"
#include "ardent/data/matrix.h"

namespace ardent {

struct QuadraticL1 {
  const Matrix& hessian;  // H, symmetric, positive semidefinite, positive on the diagonal
  const Vector& ascent;   // g, at x₀
  const Vector& penalty;  // p
};

/// The same with H = [Phi 1]ᵀB[Phi 1] + ρ diag(1, …, 1, 0) for a Phi of few entries, which is never
/// formed: a coordinate costs the entries of its column. For models with more weights than a matrix
/// is worth.
struct SparseQuadraticL1 {
  const SparseRows& columns;  // the transpose of Phi
  const Vector& beta;         // of B, one a row
  const Vector& diagonal;     // of H, positive
  double ridge = 0;           // ρ
  const Vector& ascent;       // as above
  const Vector& penalty;      // as above; one more than columns where there is a bias, the last
};

/// Moves x from x₀ to the minimum: until no pass moves a coordinate by more than `tolerance` in
/// units of 1/√H_kk, or `max_passes`. Returns the passes.
Index minimise(const QuadraticL1& problem, double tolerance, Index max_passes, Vector& x);
Index minimise(const SparseQuadraticL1& problem, double tolerance, Index max_passes, Vector& x);

}  // namespace ardent
