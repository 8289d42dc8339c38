// Orthogonal least squares: of a design's columns those that leave least of a vector undone, one by
// one, under row weights B.
//
// Each next column is the one whose part beside those chosen takes most of what is left of f,
// (x̃ᵀB r)²/x̃ᵀB x̃, x̃ the column less its projection on the chosen ones. With an orthonormal basis Q
// of the chosen, x̃ᵀB r = xᵀB r and x̃ᵀB x̃ = xᵀB x − ‖QᵀB x‖², so that QᵀB Phi is all that is kept of
// the basis (a Cholesky factor of PhiᵀB Phi, row by row): a choice costs one product with Phiᵀ and,
// as the k-th, M k multiplications.
#pragma once

#include <vector>

#include "ardent/design/design.h"

namespace ardent {

class ColumnChoice {
 public:
  /// The design must outlive this. `bias`: a constant is there beforehand, and does not count.
  ColumnChoice(const Design& phi, Vector row_weights, const Vector& f, bool bias);

  /// Chooses one more column; false, and none, where nothing is left of f, or of the columns that
  /// is not a combination of those chosen.
  bool add_next();
  /// In the order in which they were chosen.
  const std::vector<Index>& chosen() const { return chosen_; }

 private:
  /// What joins the basis: PhiᵀB x, its product with what is left of f, and its square beside the
  /// basis so far.
  void join(Vector shares, double product, double square);

  const Design& phi_;
  Vector row_weights_;
  Vector products_, squares_;  // x̃ᵀB r and x̃ᵀB x̃ of every column
  Vector whole_squares_;       // xᵀB x
  std::vector<Vector> basis_;  // the rows of QᵀB Phi
  std::vector<Index> chosen_;
};

}  // namespace ardent
