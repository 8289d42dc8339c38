#include "ardent/design/dense.h"

#include "ardent/base/parallel.h"
#include "ardent/linalg/symmetric_product.h"

namespace ardent {
namespace {

constexpr Index kDenseRowBlock = 4096;  // rows per block of Phi w
constexpr Index kColumnBlock = 64;      // columns per block of Phiᵀ r

}  // namespace

DenseDesign::DenseDesign(Matrix phi)
    : DenseDesign(std::make_shared<const Matrix>(std::move(phi))) {}

DenseDesign::DenseDesign(std::shared_ptr<const Matrix> phi)
    : Design(phi->rows(), phi->cols()), phi_(std::move(phi)) {}

std::unique_ptr<Design> DenseDesign::clone() const {
  return std::make_unique<DenseDesign>(*this);
}

void DenseDesign::do_multiply(const Eigen::Ref<const Vector>& w, Vector& out) const {
  parallel_blocks(rows(), kDenseRowBlock, [&](Index begin, Index end) {
    out.segment(begin, end - begin).noalias() = phi_->middleRows(begin, end - begin) * w;
  });
}

void DenseDesign::do_multiply_transposed(const Vector& r, Vector& out) const {
  parallel_blocks(cols(), kColumnBlock, [&](Index begin, Index end) {
    out.segment(begin, end - begin).noalias() =
        phi_->middleCols(begin, end - begin).transpose() * r;
  });
}

void DenseDesign::do_weighted_square_norms(const Vector& beta, Vector& out) const {
  parallel_blocks(cols(), kColumnBlock, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      out[k] = (phi_->col(k).array().square() * beta.array()).sum();
    }
  });
}

void DenseDesign::do_weighted_gram(const Vector& beta, Matrix& out) const {
  out.setZero();
  add_weighted_gram(*phi_, beta, out);
  mirror_lower(out);
}

void DenseDesign::do_weighted_outer(const Vector& gamma, Matrix& out) const {
  out.setZero();
  add_weighted_outer(*phi_, gamma, out);
  mirror_lower(out);
}

void DenseDesign::do_columns(std::span<const Index> which, Matrix& out) const {
  for (Index k = 0; k < out.cols(); ++k) out.col(k) = phi_->col(which[k]);
}

void DenseDesign::do_keep(std::span<const Index> active) {
  auto kept = std::make_shared<Matrix>(rows(), std::ssize(active));
  do_columns(active, *kept);
  phi_ = std::move(kept);
}

}  // namespace ardent
