#include "ardent/design/lazy.h"

#include "ardent/base/index_range.h"
#include "ardent/base/parallel.h"
#include "ardent/design/dense.h"
#include "ardent/linalg/symmetric_product.h"

namespace ardent {
namespace {

constexpr Index kBlockDoubles = 1 << 17;  // 1 MiB: a block of rows that stays in cache
constexpr Index kPanelDoubles = 1 << 23;  // 64 MiB: a panel of rows or columns for M×M, N×N results
constexpr Index kMostSlices = 64;         // sums over rows: at most so many partial sums are held

/// Rows of `width` numbers each that make about `doubles` of them; a product of fewer than 32 rows
/// would be slow, of more than 512 no quicker.
Index rows_per_block(Index width) {
  return std::clamp<Index>(kBlockDoubles / std::max<Index>(1, width), 32, 512);
}

/// Rows [begin, end) in parallel, as columns.
Matrix panel_of_rows(const RowSource& source, Index begin, Index end) {
  Matrix panel(source.cols(), end - begin);
  parallel_blocks(end - begin, rows_per_block(source.cols()), [&](Index first, Index last) {
    source.fill(begin + first, begin + last, panel.middleCols(first, last - first));
  });
  return panel;
}

/// The whole of Phi, N×M.
void materialise(const RowSource& source, Matrix& out) {
  parallel_blocks(source.rows(), rows_per_block(source.cols()), [&](Index begin, Index end) {
    Matrix block(source.cols(), end - begin);
    source.fill(begin, end, block);
    out.middleRows(begin, end - begin) = block.transpose();
  });
}

/// out = Σ over rows of what add(block, begin, sum) adds to a sum of M numbers; slices of rows have
/// their own sums, which are then added in order.
template <class Add>
void sum_over_rows(const RowSource& source, Vector& out, const Add& add) {
  const Index n = source.rows();
  const Index step = rows_per_block(source.cols());
  const Index slices = std::clamp<Index>((n + step - 1) / step, 1, kMostSlices);
  Matrix partial = Matrix::Zero(source.cols(), slices);
  parallel_for(slices, [&](Index s) {
    const Index slice_end = (s + 1) * n / slices;
    Matrix block;
    for (Index begin = s * n / slices; begin < slice_end; begin += step) {
      const Index end = std::min(begin + step, slice_end);
      block.resize(source.cols(), end - begin);
      source.fill(begin, end, block);
      add(block, begin, partial.col(s));
    }
  });
  out.setZero();
  for (Index s = 0; s < slices; ++s) out += partial.col(s);
}

}  // namespace

LazyDesign::LazyDesign(std::shared_ptr<const RowSource> source)
    : Design(source->rows(), source->cols()), source_(std::move(source)) {}

std::unique_ptr<Design> LazyDesign::clone() const {
  return std::make_unique<LazyDesign>(*this);
}

void LazyDesign::do_multiply(const Eigen::Ref<const Vector>& w, Vector& out) const {
  parallel_blocks(rows(), rows_per_block(cols()), [&](Index begin, Index end) {
    Matrix block(cols(), end - begin);
    source_->fill(begin, end, block);
    out.segment(begin, end - begin).noalias() = block.transpose() * w;
  });
}

void LazyDesign::do_multiply_transposed(const Vector& r, Vector& out) const {
  sum_over_rows(*source_, out, [&](const Matrix& block, Index begin, auto sum) {
    sum.noalias() += block * r.segment(begin, block.cols());
  });
}

void LazyDesign::do_weighted_square_norms(const Vector& beta, Vector& out) const {
  sum_over_rows(*source_, out, [&](const Matrix& block, Index begin, auto sum) {
    sum.noalias() += block.cwiseAbs2() * beta.segment(begin, block.cols());
  });
}

void LazyDesign::do_weighted_gram(const Vector& beta, Matrix& out) const {
  out.setZero();
  const Index step = std::max<Index>(256, kPanelDoubles / std::max<Index>(1, cols()));
  for (Index begin = 0; begin < rows(); begin += step) {
    const Index end = std::min(begin + step, rows());
    add_weighted_outer(panel_of_rows(*source_, begin, end), beta.segment(begin, end - begin), out);
  }
  mirror_lower(out);
}

void LazyDesign::do_weighted_outer(const Vector& gamma, Matrix& out) const {
  out.setZero();
  const Index step = std::max<Index>(256, kPanelDoubles / std::max<Index>(1, rows()));
  for (Index begin = 0; begin < cols(); begin += step) {
    const std::vector<Index> which = index_range(begin, std::min(begin + step, cols()));
    const auto chosen = source_->select(which);
    add_weighted_gram(panel_of_rows(*chosen, 0, rows()), gamma.segment(begin, chosen->cols()), out);
  }
  mirror_lower(out);
}

void LazyDesign::do_columns(std::span<const Index> which, Matrix& out) const {
  materialise(*source_->select(which), out);
}

void LazyDesign::do_keep(std::span<const Index> active) {
  source_ = source_->select(active);
}

std::unique_ptr<Design> make_design(std::shared_ptr<const RowSource> source,
                                    std::size_t memory_limit) {
  const double bytes =
      static_cast<double>(source->rows()) * static_cast<double>(source->cols()) * sizeof(double);
  if (bytes > static_cast<double>(memory_limit)) {
    return std::make_unique<LazyDesign>(std::move(source));
  }
  Matrix phi(source->rows(), source->cols());
  materialise(*source, phi);
  return std::make_unique<DenseDesign>(std::move(phi));
}

}  // namespace ardent
