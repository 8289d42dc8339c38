// Sums over the rows of a dense matrix Phi, fold by fold, so that what the known rows of each fold
// say is taken from one reading of Phi:
//
//   Phi_fᵀ C_f φ_k,f = Σ_{g ≠ f} Phi_gᵀ C_g φ_k,g
//
// where Phi_f is without the rows that fold f holds out and Phi_g are the rows that g does, C the
// rows' weights. Growing asks each fold for the products with much the same columns, of which each
// is otherwise a reading of the fold's own copy. Sums are added in the order of the folds, whoever
// asks first.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "ardent/base/types.h"

namespace ardent {

class FoldSums {
 public:
  /// No fold held out: the sums over all rows.
  static constexpr Index kAllRows = -1;

  /// `held_out`: the rows of each fold, each row in one of them.
  FoldSums(std::shared_ptr<const Matrix> phi, Vector row_weights,
           const std::vector<std::vector<Index>>& held_out);

  const std::shared_ptr<const Matrix>& phi() const { return phi_; }
  const Vector& row_weights() const { return row_weights_; }

  // Over the rows that fold `without` does not hold out, one number per column:
  Vector products(Index k, Index without);  // with column k
  Vector sums(Index without) const;         // of the column itself
  Vector squares(Index without) const;      // of its squares

 private:
  Matrix parts(const Vector& of_rows) const;  // Phi_gᵀ x_g, a column per fold

  std::shared_ptr<const Matrix> phi_;
  Vector row_weights_;
  std::vector<std::vector<Index>> held_out_;
  Matrix sums_, squares_;  // a column per fold
  std::mutex mutex_;
  std::unordered_map<Index, Matrix> products_;
};

}  // namespace ardent
