#include "ardent/inference/path/strength_walk.h"

#include <algorithm>
#include <cmath>

#include "ardent/base/array_pieces.h"
#include "ardent/base/elementary.h"

namespace ardent {
namespace {

constexpr double kStrongest = 100;
constexpr double kWeakestStrength = 1e-6;
constexpr double kLogStep = 1.1512925464970229;  // log √10
constexpr std::size_t kStrengthPatience = 2;     // strengths in a row that are no better

std::size_t least(const std::vector<double>& losses) {
  return static_cast<std::size_t>(std::ranges::min_element(losses) - losses.begin());
}

/// From the strongest on; or the one that is given.
std::vector<double> strength_grid(const std::optional<double>& given) {
  if (given) return {*given};
  const auto steps =
      static_cast<Index>(std::lround(elementary::log(kStrongest / kWeakestStrength) / kLogStep));
  std::vector<double> grid;
  for (Index step = 0; step <= steps; ++step) {
    grid.push_back(kStrongest * elementary::exp(-kLogStep * static_cast<double>(step)));
  }
  return grid;
}

/// The strength that is best for the folds but this one.
std::size_t best_for_others(const std::vector<Lanes>& scores, Index fold) {
  std::vector<double> others;
  for (const Lanes& all : scores) others.push_back(all.sum() - all[fold]);
  return least(others);
}

}  // namespace

double parabola_minimum(double before, double least, double after) {
  const double bend = before - 2 * least + after;
  return bend > 0 ? (before - after) / (2 * bend) : 0;
}

StrengthWalk::StrengthWalk(const std::optional<double>& given) : grid_(strength_grid(given)) {}

StrengthWalk::StrengthWalk(std::vector<double> grid, Index steps, Index folds,
                           const Container& file)
    : grid_(std::move(grid)) {
  ArrayPieces pieces(file);
  const Index rows = pieces.take<Index>("rows", 1)[0];
  for (Index step = 0; step < steps; ++step) {
    const Vector losses = pieces.take_vector("losses", folds);
    add(losses.transpose().array(), pieces.take_vector("losses.by_row", rows));
  }
  pieces.expect_all_taken();
}

void StrengthWalk::add_to(ContainerWriter& file) const {
  std::vector<double> losses, by_row;
  for (const Lanes& own : scores_) append(losses, own);
  for (const Vector& own : by_row_) append(by_row, own);
  file.add("rows", std::vector<Index>{by_row_.empty() ? 0 : by_row_.front().size()});
  file.add("losses", losses);
  file.add("losses.by_row", by_row);
}

void StrengthWalk::add(const Lanes& losses, Vector by_row) {
  scores_.push_back(losses);
  totals_.push_back(losses.sum());
  by_row_.push_back(std::move(by_row));
}

std::size_t StrengthWalk::best() const {
  return least(totals_);
}

bool StrengthWalk::last_is_best() const {
  return best() + 1 == totals_.size();
}

bool StrengthWalk::ends() const {
  return totals_.size() > best() + kStrengthPatience;
}

StrengthScores StrengthWalk::choice(const std::vector<Split>& folds) const {
  StrengthScores result;
  const std::size_t at = best();
  const bool inside = at > 0 && at + 1 < totals_.size();
  const double shift = inside ? parabola_minimum(totals_[at - 1], totals_[at], totals_[at + 1]) : 0;
  result.strength = grid_[at] * elementary::exp(-kLogStep * shift);
  result.loss = totals_[at];
  result.strengths.assign(grid_.begin(), grid_.begin() + std::ssize(totals_));
  result.scores = scores_;
  result.by_row = Vector::Zero(by_row_.front().size());
  for (std::size_t l = 0; l < folds.size(); ++l) {
    const std::size_t chosen = best_for_others(scores_, static_cast<Index>(l));
    result.losses.push_back(scores_[chosen][static_cast<Index>(l)]);
    if (result.by_row.size() == 0) continue;
    for (const Index i : folds[l].test) result.by_row[i] = by_row_[chosen][i];
  }
  return result;
}

}  // namespace ardent
