// The evidence of a set of columns with their weights integrated out, as columns come and go.
//
// Given row precisions Ω = diag ω and pseudo-targets κ (Pólya–Gamma: ω_i ~ PG(1, f_i), κ = t − ½;
// Gaussian: ω = 1/σ², κ = t/σ²), and weights w_j ~ N(0, 1/p_j),
//   Q = diag(p) + KᵀΩK,  v = Kᵀκ,
//   log p(t | ω, K) = ½ Σ log p_j − ½ log|Q| + ½ vᵀQ⁻¹v + const.
// Kept as Q = LLᵀ and h = L⁻¹v. For a further column c with precision p: u = KᵀΩc, l = L⁻¹u,
//   s = p + cᵀΩc − lᵀl (≥ p),  change = ½ log(p/s) + (cᵀκ − lᵀh)²/(2s);
// L gains the row (lᵀ, √s) and h the entry (cᵀκ − lᵀh)/√s. For column j taken out: x = L⁻¹e_j,
//   (Q⁻¹)_jj = xᵀx = 1/s,  μ_j = xᵀh,  change = −[½ log(p_j/s) + ½ μ_j² s].
// Cost: O(m²) for each of these; O(N m² + m³) to build from scratch.
#pragma once

#include "ardent/base/random.h"
#include "ardent/base/types.h"

namespace ardent::doubly_sparse {

/// What a further column adds to Q and v.
struct ColumnProducts {
  Vector u;              // KᵀΩc, one entry per column there is
  double own = 0;        // cᵀΩc
  double target = 0;     // cᵀκ
  double precision = 1;  // p
};

class CollapsedEvidence {
 public:
  CollapsedEvidence() = default;
  /// Q (its lower triangle is read), v and the prior precisions.
  CollapsedEvidence(const Matrix& q, const Vector& v, const Vector& precision);

  Index size() const { return size_; }
  /// ½ Σ log p − ½ log|Q| + ½ vᵀQ⁻¹v; 0 without columns.
  double value() const;

  /// By how much value() changes if the column is added or taken out.
  double change_by_adding(const ColumnProducts& column) const;
  double change_by_removing(Index j) const;
  void add(const ColumnProducts& column);
  void remove(Index j);

  /// The same columns with other prior precisions: O(m³).
  CollapsedEvidence with_precision(const Vector& precision) const;

  /// Posterior mean Q⁻¹v and a draw of N(Q⁻¹v, Q⁻¹).
  Vector mean() const;
  Vector draw(Random& random) const;

 private:
  struct Addition {
    Vector l;
    double s = 0;
    double h = 0;  // cᵀκ − lᵀh
  };
  Addition addition(const ColumnProducts& column) const;
  auto factor() const { return factor_.topLeftCorner(size_, size_); }
  void reserve(Index size);

  Index size_ = 0;
  Matrix factor_;     // L in its leading corner
  Vector half_;       // h in its head
  Vector precision_;  // p in its head
};

}  // namespace ardent::doubly_sparse
