// Masked squared distances among all rows, for the published sampler: half of the N×N matrix.
//
// A feature toggle needs the predictor f = Kα with that feature flipped. One pass over the half
// matrix computes it: every distance read once, one exponential per pair, used for both of its
// rows. Distances themselves change only where a toggle is accepted.
//
// In single precision a pass takes half of the time; f is then right to about 1e-6 of its terms,
// which moves a conditional's log odds by less than 1e-3: far below what one draw of α does.
#pragma once

#include <cstdint>
#include <vector>

#include "ardent/base/types.h"

namespace ardent::doubly_sparse {

enum class Precision { single_precision, double_precision };

class SymmetricDistances {
 public:
  /// Of the rows of `x` (N × D), which must outlive it, over the features in `mask`.
  SymmetricDistances(const Matrix& x, std::vector<std::uint8_t> mask, Precision precision);

  Index size() const { return x_.rows(); }
  /// Anew, over the features in `mask`.
  void rebuild(std::vector<std::uint8_t> mask);

  /// K with K_ij = exp(−δ d_ij), computed from the rows, in double precision always.
  Matrix kernel(double delta) const;
  /// Kα as it would be with feature k toggled. N²/2 exponentials.
  Vector toggled_predictor(Index k, double delta, const Vector& alpha) const;
  /// Adds feature k to the distances or takes it out; they are clamped at 0.
  void toggle(Index k);

 private:
  /// Where the distances of row j to rows j + 1 … N − 1 begin.
  Index start(Index j) const { return j * (size() - 1) - j * (j - 1) / 2; }
  template <class Scalar>
  Vector pass(const std::vector<Scalar>& packed, Index k, double delta, const Vector& alpha) const;
  double sign(Index k) const { return mask_[k] ? -1 : 1; }
  bool single() const { return precision_ == Precision::single_precision; }

  const Matrix& x_;
  Precision precision_;
  Eigen::MatrixXf x_single_;  // 0×0 in double precision
  std::vector<std::uint8_t> mask_;
  std::vector<double> packed_;  // one of the two is empty
  std::vector<float> packed_single_;
};

}  // namespace ardent::doubly_sparse
