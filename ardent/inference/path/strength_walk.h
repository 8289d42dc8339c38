// Strengths of shrinkage, from strong to weak, and what rows that folds hold out say of each.
#pragma once

#include <optional>
#include <vector>

#include "ardent/base/container.h"
#include "ardent/data/folds.h"
#include "ardent/inference/path/lockstep_ridge.h"

namespace ardent {

/// What was chosen, and what was compared.
struct StrengthScores {
  double strength = 0;         // a₀
  std::vector<double> losses;  // of each fold, at the strength that the others choose
  Vector by_row;               // the same of each row; of 10,000 rows at most
  double loss = 0;             // of all rows at the best strength of the grid
  std::vector<double> strengths;
  std::vector<Lanes> scores;  // of each strength, the loss of each fold
};

/// From a₀ = 100 down by factors of √10 until two strengths in a row are no better; or the one that
/// is given.
class StrengthWalk {
 public:
  explicit StrengthWalk(const std::optional<double>& given = {});
  /// As add_to() left it, after so many strengths of this grid and with so many folds.
  StrengthWalk(std::vector<double> grid, Index steps, Index folds, const Container& file);

  void add_to(ContainerWriter& file) const;

  const std::vector<double>& grid() const { return grid_; }
  /// The next strength's losses: of each fold, and of each row (empty: not kept).
  void add(const Lanes& losses, Vector by_row);
  Index steps() const { return std::ssize(totals_); }
  /// Of all rows at the strength added last.
  double last_loss() const { return totals_.back(); }
  bool last_is_best() const;
  bool ends() const;
  /// The minimum of the parabola through the best strength and its neighbours.
  StrengthScores choice(const std::vector<Split>& folds) const;

 private:
  std::size_t best() const;

  std::vector<double> grid_, totals_;
  std::vector<Lanes> scores_;
  std::vector<Vector> by_row_;
};

/// Where the parabola through three losses at steps −1, 0 and 1, the middle one the least, has its
/// minimum: from −½ to ½.
double parabola_minimum(double before, double least, double after);

}  // namespace ardent
