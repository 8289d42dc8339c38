// Which options a grid search varies, and over which values.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "ardent/estimators/train_options.h"

namespace ardent {

/// One option and the values it takes, each as text that the option takes.
struct GridAxis {
  std::string name;
  std::vector<std::string> values;
};

/// The points of a grid: every combination of the axes' values, the last axis varying fastest.
///
/// An axis is written NAME=LIST, where NAME is any option of training and LIST has items, separated
/// by commas:
///   3, 0.5, rbf  a value
///   2^k          a power of two
///   2^a:2^b      2^a, 2^(a+1), …, 2^b (whole a <= b)
///   a:b          a, a+1, …, b (whole numbers)
///   a:b:step     a, a+step, … up to b (step > 0)
class Grid {
 public:
  static constexpr Index kMostPoints = 100'000;

  /// InputError for an axis that cannot be read (it names option, item and rule), an option or a
  /// value named twice, no axis at all, or more than kMostPoints points.
  explicit Grid(std::span<const std::string> axes);

  const std::vector<GridAxis>& axes() const { return axes_; }
  Index size() const;
  /// The values of point `point`, one an axis.
  std::vector<std::string> values(Index point) const;
  /// `base` with the options of point `point`.
  TrainOptions options(const TrainOptions& base, Index point) const;
  /// InputError where an option that is given (an axis, or in `base`) has no effect at any point.
  void refuse_idle(const TrainOptions& base, std::set<std::string> given) const;
  /// "sigma=2, hidden=50"
  std::string name(Index point) const;

 private:
  /// Sets the options of point `point`.
  void set(Schema& schema, Index point) const;

  std::vector<GridAxis> axes_;
};

}  // namespace ardent
