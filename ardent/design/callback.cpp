#include "ardent/design/callback.h"

#include <algorithm>

#include "ardent/base/index_range.h"
#include "ardent/base/random.h"

namespace ardent {
namespace {

/// Calls body(begin, count) for packs of vectors.
template <class Body>
void for_each_pack(Index vectors, const Body& body) {
  for (Index begin = 0; begin < vectors; begin += CallbackDesign::kMostVectors) {
    body(begin, std::min(CallbackDesign::kMostVectors, vectors - begin));
  }
}

/// Columns begin … begin + count of the unit matrix, at these places of `size`.
RowMatrix unit_vectors(Index size, std::span<const Index> places, Index begin, Index count) {
  RowMatrix units = RowMatrix::Zero(size, count);
  for (Index k = 0; k < count; ++k) units(places[begin + k], k) = 1;
  return units;
}

void mirror_upper(Matrix& square) {
  square.triangularView<Eigen::StrictlyLower>() = square.transpose();
}

}  // namespace

CallbackDesign::CallbackDesign(Index rows, Index cols, DesignProducts products)
    : Design(rows, cols),
      products_(std::make_shared<const DesignProducts>(std::move(products))),
      all_columns_(cols),
      kept_(index_range(0, cols)) {}

std::unique_ptr<Design> CallbackDesign::clone() const {
  return std::make_unique<CallbackDesign>(*this);
}

void CallbackDesign::do_multiply(const Eigen::Ref<const Vector>& w, Vector& out) const {
  RowMatrix product(rows(), 1);
  do_multiply_many(w, product);
  out = product.col(0);
}

void CallbackDesign::do_multiply_transposed(const Vector& r, Vector& out) const {
  RowMatrix product(kept(), 1);
  do_multiply_transposed_many(r, product);
  out = product.col(0);
}

void CallbackDesign::do_multiply_many(const RowMatrix& w, RowMatrix& out) const {
  if (kept() == 0) {
    out.setZero();
    return;
  }
  for_each_pack(w.cols(), [&](Index begin, Index count) {
    RowMatrix all = RowMatrix::Zero(all_columns_, count), product(rows(), count);
    for (Index k = 0; k < kept(); ++k) all.row(kept_[k]) = w.row(k).segment(begin, count);
    products_->multiply(all, product);
    out.middleCols(begin, count) = product;
  });
}

void CallbackDesign::do_multiply_transposed_many(const RowMatrix& r, RowMatrix& out) const {
  if (kept() == 0) return;
  for_each_pack(r.cols(), [&](Index begin, Index count) {
    RowMatrix product(all_columns_, count);
    products_->multiply_transposed(r.middleCols(begin, count), product);
    for (Index k = 0; k < kept(); ++k) out.row(k).segment(begin, count) = product.row(kept_[k]);
  });
}

void CallbackDesign::do_weighted_square_norms(const Vector& beta, Vector& out) const {
  if (kept() == 0) return;
  if (products_->weighted_square_norms) {
    Vector all(all_columns_);
    products_->weighted_square_norms(beta, all);
    out = all(kept_);
  } else if (rows() <= kExactNorms) {
    RowMatrix transposed(kept(), rows());
    do_multiply_transposed_many(RowMatrix::Identity(rows(), rows()), transposed);
    out = transposed.cwiseAbs2() * beta;
  } else if (kept() <= kExactNorms) {
    Matrix phi(rows(), kept());
    do_columns(index_range(0, kept()), phi);
    out = phi.cwiseAbs2().transpose() * beta;
  } else {
    probed_square_norms(beta, out);
  }
}

void CallbackDesign::probed_square_norms(const Vector& beta, Vector& out) const {
  const Vector roots = beta.cwiseSqrt();
  out.setZero();
  for_each_pack(kNormProbes, [&](Index begin, Index count) {
    RowMatrix signs(rows(), count), products(kept(), count);
    for (Index probe = 0; probe < count; ++probe) {
      Random random(0, static_cast<std::uint64_t>(begin + probe));
      for (Index i = 0; i < rows(); ++i) {
        signs(i, probe) = random.bits() >> 63 ? roots[i] : -roots[i];
      }
    }
    do_multiply_transposed_many(signs, products);
    out += products.cwiseAbs2().rowwise().sum();
  });
  out /= static_cast<double>(kNormProbes);
}

void CallbackDesign::do_weighted_gram(const Vector& beta, Matrix& out) const {
  const std::vector<Index> places = index_range(0, kept());
  for_each_pack(kept(), [&](Index begin, Index count) {
    RowMatrix image(rows(), count), product(kept(), count);
    do_multiply_many(unit_vectors(kept(), places, begin, count), image);
    for (Index i = 0; i < rows(); ++i) image.row(i) *= beta[i];
    do_multiply_transposed_many(image, product);
    out.middleCols(begin, count) = product;
  });
  mirror_upper(out);
}

void CallbackDesign::do_weighted_outer(const Vector& gamma, Matrix& out) const {
  const std::vector<Index> places = index_range(0, rows());
  if (kept() == 0) out.setZero();
  for_each_pack(kept() == 0 ? 0 : rows(), [&](Index begin, Index count) {
    RowMatrix image(kept(), count), product(rows(), count);
    do_multiply_transposed_many(unit_vectors(rows(), places, begin, count), image);
    for (Index k = 0; k < kept(); ++k) image.row(k) *= gamma[k];
    do_multiply_many(image, product);
    out.middleCols(begin, count) = product;
  });
  mirror_upper(out);
}

void CallbackDesign::do_columns(std::span<const Index> which, Matrix& out) const {
  for_each_pack(std::ssize(which), [&](Index begin, Index count) {
    RowMatrix product(rows(), count);
    do_multiply_many(unit_vectors(kept(), which, begin, count), product);
    out.middleCols(begin, count) = product;
  });
}

void CallbackDesign::do_keep(std::span<const Index> active) {
  std::vector<Index> kept;
  kept.reserve(active.size());
  for (const Index k : active) kept.push_back(kept_[k]);
  kept_ = std::move(kept);
}

}  // namespace ardent
