// Cholesky factors in a card's memory, by the rules of linalg/cholesky.h: equilibrated to unit
// diagonal, and the smallest jitter that helps where rounding makes the matrix indefinite.
#pragma once

#include "ardent/cuda/card/matrix.h"

namespace ardent {

class CardCholesky {
 public:
  /// H_ij = factor · f_i f_j G_ij off the diagonal, of G's lower triangle; `diagonal` is H's own.
  CardCholesky(Card& card, const CardMatrix& g, double factor, const Vector& f,
               const Vector& diagonal);

  Vector solve(const Vector& b) const;
  Vector inverse_diagonal() const;
  double log_determinant() const;
  double jitter() const { return jitter_; }
  /// H⁻¹, symmetric to the bit.
  Matrix inverse() const;

  /// ‖L⁻¹ diag(rows) a_k‖² for each column of a.
  Vector half_solved_square_norms(CardBlock<const double> a, const Vector& rows) const;
  /// (L⁻¹ diag(rows) a)ᵀ L⁻¹ diag(rows) a, symmetric to the bit.
  Matrix half_solved_products(CardBlock<const double> a, const Vector& rows) const;

 private:
  bool factorise();
  /// x ← L̂⁻¹x, of the last rows and columns from `begin` on.
  void half_solve(Index begin, CardBlock<double> x) const;

  Card& card_;
  Vector scale_;      // H = D Ĥ D with D = diag(scale)
  CardMatrix lower_;  // L̂, of Ĥ = L̂ L̂ᵀ
  Vector pivots_;     // its diagonal
  double jitter_ = 0;
};

}  // namespace ardent
