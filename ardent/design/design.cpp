#include "ardent/design/design.h"

#include <fmt/format.h>

#include "ardent/base/buffer.h"
#include "ardent/base/error.h"
#include "ardent/base/parallel.h"

namespace ardent {
namespace {

constexpr Index kScaleBlock = 1 << 15;  // entries scaled per task: millions of columns are common
constexpr Index kGramColumns = 32;      // columns of a Gram matrix scaled per task

void require_size(const char* what, Index found, Index wanted, Index rows, Index cols) {
  if (found != wanted) {
    throw InputError(fmt::format("{} has {} entries but the design is {} × {}: {} are needed", what,
                                 found, rows, cols, wanted));
  }
}

void require_column(Index k, Index rows, Index cols) {
  if (k < 0 || k >= cols) {
    throw InputError(
        fmt::format("column {} was asked for, but the design is {} × {}: columns are "
                    "counted from 0",
                    k, rows, cols));
  }
}

}  // namespace

void Design::multiply(const Vector& w, Vector& out) const {
  require_size("w", w.size(), cols(), rows(), cols());
  // A Buffer, for its huge pages: a sparse design reads all over the scaled w.
  auto memory = Buffer<double>::allocate(cols());
  Eigen::Map<Vector> scaled(memory.mutable_data(), cols());
  parallel_blocks(cols(), kScaleBlock, [&](Index begin, Index end) {
    const Index count = end - begin;
    scaled.segment(begin, count) =
        scale_.segment(begin, count).cwiseProduct(w.segment(begin, count));
  });
  out.resize(rows());
  do_multiply(scaled, out);
}

void Design::multiply_transposed(const Vector& r, Vector& out) const {
  require_size("r", r.size(), rows(), rows(), cols());
  out.resize(cols());
  do_multiply_transposed(r, out);
  sum_over(share(), out);
  parallel_blocks(cols(), kScaleBlock, [&](Index begin, Index end) {
    out.segment(begin, end - begin).array() *= scale_.segment(begin, end - begin).array();
  });
}

void Design::multiply_many(const RowMatrix& w, RowMatrix& out) const {
  require_size("w", w.rows(), cols(), rows(), cols());
  out.resize(rows(), w.cols());
  if (!scaled_) {
    do_multiply_many(w, out);
    return;
  }
  RowMatrix scaled(w.rows(), w.cols());
  parallel_blocks(cols(), kScaleBlock, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) scaled.row(k) = scale_[k] * w.row(k);
  });
  do_multiply_many(scaled, out);
}

void Design::multiply_transposed_many(const RowMatrix& r, RowMatrix& out) const {
  require_size("r", r.rows(), rows(), rows(), cols());
  out.resize(cols(), r.cols());
  do_multiply_transposed_many(r, out);
  if (share_) share_->sum({out.data(), static_cast<std::size_t>(out.size())});
  if (!scaled_) return;
  parallel_blocks(cols(), kScaleBlock, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) out.row(k) *= scale_[k];
  });
}

void Design::do_multiply_many(const RowMatrix& w, RowMatrix& out) const {
  Vector one(rows());
  for (Index l = 0; l < w.cols(); ++l) {
    const Vector own = w.col(l);
    do_multiply(own, one);
    out.col(l) = one;
  }
}

void Design::do_multiply_transposed_many(const RowMatrix& r, RowMatrix& out) const {
  Vector one(cols());
  for (Index l = 0; l < r.cols(); ++l) {
    do_multiply_transposed(r.col(l), one);
    out.col(l) = one;
  }
}

void Design::weighted_square_norms(const Vector& beta, Vector& out) const {
  require_size("beta", beta.size(), rows(), rows(), cols());
  out.resize(cols());
  do_weighted_square_norms(beta, out);
  sum_over(share(), out);
  parallel_blocks(cols(), kScaleBlock, [&](Index begin, Index end) {
    out.segment(begin, end - begin).array() *= scale_.segment(begin, end - begin).array().square();
  });
}

void Design::weighted_gram(const Vector& beta, Matrix& out) const {
  require_size("beta", beta.size(), rows(), rows(), cols());
  out.resize(cols(), cols());
  do_weighted_gram(beta, out);
  if (share_) share_->sum({out.data(), static_cast<std::size_t>(out.size())});
  parallel_blocks(cols(), kGramColumns, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) out.col(k).array() *= scale_[k] * scale_.array();
  });
}

void Design::weighted_outer(const Vector& gamma, Matrix& out) const {
  require_size("gamma", gamma.size(), cols(), rows(), cols());
  refuse_shared_rows(*this, "a matrix of all pairs of rows");
  out.resize(rows(), rows());
  do_weighted_outer(scale_.array().square() * gamma.array(), out);
}

bool Design::kept_products(Index k, const Vector& beta, Vector& out) const {
  require_size("beta", beta.size(), rows(), rows(), cols());
  require_column(k, rows(), cols());
  if (!do_kept_products(k, beta, out)) return false;
  out.array() *= scale_[k] * scale_.array();
  return true;
}

Matrix Design::columns(std::span<const Index> which) const {
  for (const Index k : which) require_column(k, rows(), cols());
  Matrix out(rows(), std::ssize(which));
  do_columns(which, out);
  for (Index k = 0; k < out.cols(); ++k) out.col(k) *= scale_[which[k]];
  return out;
}

void Design::keep(std::span<const Index> active) {
  const auto count = std::ssize(active);
  for (std::size_t k = 0; k < active.size(); ++k) {
    require_column(active[k], rows(), cols());
    if (k > 0 && active[k] <= active[k - 1]) {
      throw InputError(
          fmt::format("columns to keep must ascend, but {} follows {}", active[k], active[k - 1]));
    }
  }
  if (count == cols()) return;
  do_keep(active);
  Vector kept(count);
  for (Index k = 0; k < count; ++k) kept[k] = scale_[active[k]];
  scale_ = std::move(kept);
}

void Design::share_rows(SharePointer share) {
  share_ = std::move(share);
  all_rows_ = count_over(share_.get(), rows_);
}

void refuse_shared_rows(const Design& design, std::string_view what) {
  if (!design.share()) return;
  throw InputError(fmt::format(
      "{} needs all rows in one process, and here {} processes share them: the engines diagonal, "
      "probes, dqn, path and shrinkage work so",
      what, design.share()->shares()));
}

void Design::scale_columns(const Vector& factors) {
  require_size("factors", factors.size(), cols(), rows(), cols());
  scale_.array() *= factors.array();
  scaled_ = true;
}

}  // namespace ardent
