// Sparse atoms: Φ by columns (CSC) as the data hold it, and by rows for Gram rows.
//
// Φᵀφ_j touches only the rows of Φ where φ_j is not zero: far less than all entries.
#pragma once

#include "ardent/data/matrix.h"
#include "ardent/inference/coding/dictionary.h"

namespace ardent {

class SparseDictionary final : public Dictionary {
 public:
  SparseDictionary(const SparseRows& atoms, bool unit_norm);

  void correlate(const Eigen::Ref<const Matrix>& signals, Matrix& products) const override;
  void gram_rows(std::span<const Index> atoms, Eigen::Ref<Matrix> rows) const override;
  double dot(Index j, const Vector& v) const override;
  void add_scaled(Index j, double factor, Vector& v) const override;
  Vector correlate_some(std::span<const Index> atoms, const Vector& v) const override;
  bool rows_are_cheap() const override { return true; }

 private:
  SparseDictionary(const SparseRows& atoms, Vector factors, Vector norms);

  SparseRows atoms_;    // row j is φ_j / factor_j
  SparseRows by_word_;  // its transpose
  Vector factor_;       // 1, or 1/‖·‖: values stay the float32 that they were
};

}  // namespace ardent
