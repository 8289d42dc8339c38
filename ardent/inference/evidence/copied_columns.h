// Columns that are copies of others, number by number: repeated features, kernels at repeated rows.
//
// The evidence of a group of c copies depends on the sum of their prior variances alone, so that
// their shares of it have no optimum: they drift while nothing changes. Fitted is one of each
// group; its weight s, of prior variance 1/alpha, is shared equally, which is an optimum for all of
// them:
//   alpha_j = c·alpha,   w_j = s/c,   Cov(w_i, w_j) = Var(s)/c² + (δ_ij − 1/c)/(c·alpha)
// since data say nothing of differences between copies.
#pragma once

#include <memory>
#include <vector>

#include "ardent/inference/engine.h"

namespace ardent {

class CopiedColumns {
 public:
  explicit CopiedColumns(const Design& design);

  bool are_any() const { return std::ssize(groups_) < columns_; }
  /// What the engine finds of one column of each group, shared equally.
  Fit fit(Engine engine, const Design& design, const Target& target, const EngineOptions& options,
          const ProgressCallback& progress) const;

 private:
  std::shared_ptr<const StartingPoint> without_copies(const StartingPoint& start) const;
  Posterior shared_equally(const Posterior& found) const;
  PathPoint shared_equally(const PathPoint& point) const;

  Index columns_;
  std::vector<std::vector<Index>> groups_;  // ascending by the first of each
};

}  // namespace ardent
