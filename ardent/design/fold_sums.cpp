#include "ardent/design/fold_sums.h"

#include "ardent/base/parallel.h"

namespace ardent {
namespace {

constexpr Index kFoldColumns = 64;
constexpr Index kMostKept = Index{1} << 25;  // numbers, 256 MiB: more products are not remembered

/// Added up in the order of the folds, but for the one that is left out.
Vector without_one(const Matrix& parts, Index without) {
  Vector sum = Vector::Zero(parts.rows());
  for (Index g = 0; g < parts.cols(); ++g) {
    if (g != without) sum += parts.col(g);
  }
  return sum;
}

}  // namespace

FoldSums::FoldSums(std::shared_ptr<const Matrix> phi, Vector row_weights,
                   const std::vector<std::vector<Index>>& held_out)
    : phi_(std::move(phi)), row_weights_(std::move(row_weights)), held_out_(held_out) {
  sums_ = parts(row_weights_);
  squares_.resize(phi_->cols(), std::ssize(held_out_));
  parallel_blocks(phi_->cols(), kFoldColumns, [&](Index begin, Index end) {
    Vector column(phi_->rows());
    for (Index k = begin; k < end; ++k) {
      column = phi_->col(k).cwiseAbs2().cwiseProduct(row_weights_);
      for (Index g = 0; g < squares_.cols(); ++g) {
        double sum = 0;
        for (const Index i : held_out_[static_cast<std::size_t>(g)]) sum += column[i];
        squares_(k, g) = sum;
      }
    }
  });
}

Vector FoldSums::products(Index k, Index without) {
  const std::lock_guard lock(mutex_);
  if (const auto found = products_.find(k); found != products_.end()) {
    return without_one(found->second, without);
  }
  Matrix own = parts(phi_->col(k).cwiseProduct(row_weights_));
  Vector result = without_one(own, without);
  if ((std::ssize(products_) + 1) * own.size() <= kMostKept) products_.emplace(k, std::move(own));
  return result;
}

Vector FoldSums::sums(Index without) const {
  return without_one(sums_, without);
}

Vector FoldSums::squares(Index without) const {
  return without_one(squares_, without);
}

Matrix FoldSums::parts(const Vector& of_rows) const {
  Matrix spread = Matrix::Zero(phi_->rows(), std::ssize(held_out_));
  for (Index g = 0; g < spread.cols(); ++g) {
    for (const Index i : held_out_[static_cast<std::size_t>(g)]) spread(i, g) = of_rows[i];
  }
  Matrix result(spread.cols(), phi_->cols());
  parallel_blocks(phi_->cols(), kFoldColumns, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      result.col(k).noalias() = spread.transpose() * phi_->col(k);
    }
  });
  return result.transpose();
}

}  // namespace ardent
