// Dense atoms in double, one after the other in memory.
#pragma once

#include "ardent/data/matrix.h"
#include "ardent/inference/coding/dictionary.h"

namespace ardent {

class DenseDictionary final : public Dictionary {
 public:
  /// Shares the rows' memory unless atoms have to be scaled.
  DenseDictionary(const DenseRows& atoms, bool unit_norm);

  void correlate(const Eigen::Ref<const Matrix>& signals, Matrix& products) const override;
  void gram_rows(std::span<const Index> atoms, Eigen::Ref<Matrix> rows) const override;
  double dot(Index j, const Vector& v) const override;
  void add_scaled(Index j, double factor, Vector& v) const override;
  Vector correlate_some(std::span<const Index> atoms, const Vector& v) const override;
  void correlate_lists(std::span<const ListedProducts> lists) const override;
  bool rows_are_cheap() const override { return false; }

 private:
  const double* atom(Index j) const { return atoms_.values.data() + j * atoms_.cols; }

  DenseRows atoms_;
};

}  // namespace ardent
