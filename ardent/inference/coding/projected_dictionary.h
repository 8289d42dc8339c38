// Φ' = (I − QQᵀ)Φ: what is left of the atoms when a few of them, which are free of penalty, have
// explained what they can. Q is an orthonormal basis of their span.
#pragma once

#include "ardent/inference/coding/dictionary.h"

namespace ardent {

class ProjectedDictionary final : public Dictionary {
 public:
  /// `whole` must outlive this. Atoms in the span of Q get length 0.
  ProjectedDictionary(const Dictionary& whole, Matrix q);

  void correlate(const Eigen::Ref<const Matrix>& signals, Matrix& products) const override;
  void gram_rows(std::span<const Index> atoms, Eigen::Ref<Matrix> rows) const override;
  double dot(Index j, const Vector& v) const override;
  void add_scaled(Index j, double factor, Vector& v) const override;
  Vector correlate_some(std::span<const Index> atoms, const Vector& v) const override;
  bool rows_are_cheap() const override { return false; }

  /// (I − QQᵀ)V, done twice so that what is left is orthogonal to Q to the last digits.
  Matrix project(Matrix v) const;

 private:
  Vector column(Index j) const;

  const Dictionary& whole_;
  Matrix q_;
};

/// What other atoms leave of an atom counts as nothing below this fraction of its length: it is
/// rounding.
constexpr double kInSpan = 1e-12;

/// An orthonormal basis of the span of these atoms.
Matrix orthonormal_span(const Dictionary& dictionary, std::span<const Index> atoms);

}  // namespace ardent
