#include "ardent/design/row_subset.h"

namespace ardent {

RowSubset::RowSubset(const std::shared_ptr<const Matrix>& phi, std::vector<Index> rows)
    : Design(std::ssize(rows), phi->cols()),
      all_(std::make_shared<const DenseDesign>(phi)),
      rows_(std::make_shared<const std::vector<Index>>(std::move(rows))) {}

RowSubset::RowSubset(std::shared_ptr<FoldSums> sums, std::vector<Index> rows, Index without)
    : RowSubset(sums->phi(), std::move(rows)) {
  sums_ = std::move(sums);
  without_ = without;
  row_weights_ = sums_->row_weights()(*rows_);
}

std::unique_ptr<Design> RowSubset::clone() const {
  return std::make_unique<RowSubset>(*this);
}

void RowSubset::do_multiply(const Eigen::Ref<const Vector>& w, Vector& out) const {
  if (own_) return own_->multiply(w, out);
  Vector fitted;
  all_->multiply(w, fitted);
  out = fitted(*rows_);
}

void RowSubset::do_multiply_transposed(const Vector& r, Vector& out) const {
  if (own_) return own_->multiply_transposed(r, out);
  if (known(r)) {
    out = sums_->sums(without_);
    return;
  }
  all_->multiply_transposed(spread(r), out);
}

void RowSubset::do_weighted_square_norms(const Vector& beta, Vector& out) const {
  if (own_) return own_->weighted_square_norms(beta, out);
  if (known(beta)) {
    out = sums_->squares(without_);
    return;
  }
  all_->weighted_square_norms(spread(beta), out);
}

void RowSubset::do_weighted_gram(const Vector& beta, Matrix& out) const {
  if (own_) return own_->weighted_gram(beta, out);
  all_->weighted_gram(spread(beta), out);
}

void RowSubset::do_weighted_outer(const Vector& gamma, Matrix& out) const {
  if (own_) return own_->weighted_outer(gamma, out);
  Matrix among;
  all_->weighted_outer(gamma, among);
  out = among(*rows_, *rows_);
}

void RowSubset::do_columns(std::span<const Index> which, Matrix& out) const {
  if (own_) {
    out = own_->columns(which);
    return;
  }
  for (Index k = 0; k < out.cols(); ++k) {
    const auto column = all_->values()->col(which[static_cast<std::size_t>(k)]);
    for (Index i = 0; i < out.rows(); ++i)
      out(i, k) = column[(*rows_)[static_cast<std::size_t>(i)]];
  }
}

void RowSubset::do_keep(std::span<const Index> active) {
  Matrix kept(rows(), std::ssize(active));
  do_columns(active, kept);
  own_ = std::make_shared<const DenseDesign>(std::move(kept));
  all_ = nullptr;
  sums_ = nullptr;
  row_weights_.resize(0);
}

bool RowSubset::do_kept_products(Index k, const Vector& beta, Vector& out) const {
  if (!known(beta)) return false;
  out = sums_->products(k, without_);
  return true;
}

Vector RowSubset::spread(const Vector& x) const {
  Vector result = Vector::Zero(all_->rows());
  result(*rows_) = x;
  return result;
}

bool RowSubset::known(const Vector& beta) const {
  return sums_ && beta == row_weights_;
}

}  // namespace ardent
