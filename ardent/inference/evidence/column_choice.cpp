#include "ardent/inference/evidence/column_choice.h"

#include <array>
#include <cmath>
#include <utility>

namespace ardent {
namespace {

constexpr double kLinearlyDependent = 1e-10;  // of a column's square: what is left of it is rounding

}  // namespace

ColumnChoice::ColumnChoice(const Design& phi, Vector row_weights, const Vector& f, bool bias)
    : phi_(phi), row_weights_(std::move(row_weights)) {
  phi_.multiply_transposed(row_weights_.cwiseProduct(f), products_);
  phi_.weighted_square_norms(row_weights_, squares_);
  whole_squares_ = squares_;
  if (!bias || !(row_weights_.sum() > 0)) return;
  Vector shares;
  phi_.multiply_transposed(row_weights_, shares);
  join(std::move(shares), row_weights_.dot(f), row_weights_.sum());
}

void ColumnChoice::join(Vector shares, double product, double square) {
  const double length = std::sqrt(square);
  shares /= length;
  products_ -= product / length * shares;
  squares_ -= shares.cwiseAbs2();
  basis_.push_back(std::move(shares));
}

bool ColumnChoice::add_next() {
  Index best = -1;
  double most = 0;
  for (Index k = 0; k < squares_.size(); ++k) {
    if (!(squares_[k] > kLinearlyDependent * whole_squares_[k])) continue;
    const double gain = products_[k] * products_[k] / squares_[k];
    if (!(gain > most)) continue;
    most = gain;
    best = k;
  }
  if (best < 0) return false;
  chosen_.push_back(best);
  const Vector column = phi_.columns(std::array{best}).col(0);
  Vector shares;
  phi_.multiply_transposed(row_weights_.cwiseProduct(column), shares);
  for (const Vector& row : basis_) shares -= row[best] * row;
  join(std::move(shares), products_[best], squares_[best]);
  squares_[best] = 0;  // not chosen again, whatever rounding says
  return true;
}

}  // namespace ardent
