// A matrix Phi that is not stored: its rows are computed when they are asked for.
#pragma once

#include <memory>
#include <span>

#include "ardent/base/types.h"

namespace ardent {

class RowSource {
 public:
  virtual ~RowSource() = default;

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }

  /// Column i of `block` (cols() × (end − begin)) becomes row begin + i of Phi. Called from several
  /// threads at once.
  virtual void fill(Index begin, Index end, Eigen::Ref<Matrix> block) const = 0;

  /// The same rows with the columns named, in that order.
  virtual std::shared_ptr<const RowSource> select(std::span<const Index> which) const = 0;

 protected:
  RowSource(Index rows, Index cols) : rows_(rows), cols_(cols) {}

 private:
  Index rows_;
  Index cols_;
};

}  // namespace ardent
