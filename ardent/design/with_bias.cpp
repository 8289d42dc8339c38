#include "ardent/design/with_bias.h"

#include "ardent/base/error.h"

namespace ardent {

WithBias::WithBias(std::unique_ptr<Design> inner)
    : Design(inner->rows(), inner->cols() + 1), inner_(std::move(inner)) {
  if (inner_->share()) share_rows(take_share(*inner_));
}

WithBias::WithBias(const WithBias& other) : Design(other), inner_(other.inner_->clone()) {}

std::unique_ptr<Design> WithBias::clone() const {
  return std::make_unique<WithBias>(*this);
}

void WithBias::do_multiply(const Eigen::Ref<const Vector>& w, Vector& out) const {
  const Index m = inner_->cols();
  inner_->multiply(w.head(m), out);
  out.array() += w[m];
}

void WithBias::do_multiply_transposed(const Vector& r, Vector& out) const {
  const Index m = inner_->cols();
  Vector products;
  inner_->multiply_transposed(r, products);
  out.head(m) = products;
  out[m] = r.sum();
}

void WithBias::do_weighted_square_norms(const Vector& beta, Vector& out) const {
  const Index m = inner_->cols();
  Vector norms;
  inner_->weighted_square_norms(beta, norms);
  out.head(m) = norms;
  out[m] = beta.sum();
}

void WithBias::do_weighted_gram(const Vector& beta, Matrix& out) const {
  const Index m = inner_->cols();
  Matrix gram;
  Vector border;
  inner_->weighted_gram(beta, gram);
  inner_->multiply_transposed(beta, border);
  out.topLeftCorner(m, m) = gram;
  out.col(m).head(m) = border;
  out.row(m).head(m) = border.transpose();
  out(m, m) = beta.sum();
}

void WithBias::do_weighted_outer(const Vector& gamma, Matrix& out) const {
  const Index m = inner_->cols();
  inner_->weighted_outer(gamma.head(m), out);
  out.array() += gamma[m];
}

void WithBias::do_columns(std::span<const Index> which, Matrix& out) const {
  for (std::size_t k = 0; k < which.size(); ++k) {
    const auto column = static_cast<Index>(k);
    if (which[k] == inner_->cols()) {
      out.col(column).setOnes();
    } else {
      out.col(column) = inner_->columns(which.subspan(k, 1));
    }
  }
}

void WithBias::do_keep(std::span<const Index> active) {
  if (active.empty() || active.back() != inner_->cols()) {
    throw Error("WithBias: the bias cannot be dropped");
  }
  inner_->keep(active.first(active.size() - 1));
}

}  // namespace ardent
