// The predictor of one linear model on dense rows,
//
//   f_i = bias + Σ_k w_k (x_ik − offset_k) factor_k
//
// by one reading of the rows, without a scaled copy. Four sums run side by side, each over every
// fourth column, so that the bits do not depend on where the rows lie in memory.
#pragma once

#include <optional>

#include "ardent/data/matrix.h"
#include "ardent/data/scaling.h"
#include "ardent/inference/posterior.h"

namespace ardent {

class LinearMeans {
 public:
  /// Nothing where a column has no factor (it is 0 whatever it holds) or rows have a length each.
  static std::optional<LinearMeans> of(const Scaling& scaling, const Posterior& posterior);

  /// Of rows [begin, end), which have the columns of the scaling.
  Vector operator()(const DenseRows& rows, Index begin, Index end) const;

 private:
  LinearMeans() = default;

  Vector offset_, factor_, weight_;  // one per column
  double bias_ = 0;
};

}  // namespace ardent
