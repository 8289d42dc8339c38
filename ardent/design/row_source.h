// A matrix Phi that is not stored: its rows are computed when they are asked for.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "ardent/base/types.h"

namespace ardent {

/// What a device needs to compute a source's numbers itself: d_ik = ‖x_i − z_k‖², and where σ is
/// given exp(−d_ik/σ²), subnormal results 0.
struct SourcePoints {
  Matrix rows, centres;  // P×N, P×M, about a common origin
  std::optional<double> sigma = std::nullopt;
};

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

  /// Nothing where the numbers are no distances between points, or the points would take more than
  /// `most_bytes`.
  virtual std::optional<SourcePoints> points(double most_bytes) const;

 protected:
  RowSource(Index rows, Index cols) : rows_(rows), cols_(cols) {}

 private:
  Index rows_;
  Index cols_;
};

inline std::optional<SourcePoints> RowSource::points(double) const {
  return std::nullopt;
}

}  // namespace ardent
