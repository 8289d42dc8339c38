#include "ardent/design/sparse.h"

#include "ardent/base/memory_limit.h"
#include "ardent/base/parallel.h"
#include "ardent/design/sparse_gram.h"

namespace ardent {
namespace {

constexpr Index kBlockWork = 1 << 14;        // entries and rows of a block
constexpr std::uint64_t kPrefetchMany = 16;  // the same for several vectors: more bytes each
constexpr std::size_t kBlockBytes = 8 * kBlockWork;  // of a full block
constexpr std::size_t kWindowShare =
    32;                          // of a limit of memory: what is worked on, and as much ahead
constexpr Index kMostLanes = 8;  // vectors multiplied at once
constexpr std::uint64_t kPrefetch = 64;  // entries ahead (measured: Phi w takes 30% less time)

/// Bounds of blocks of rows with about kBlockWork of entries and rows together: an empty row costs
/// about as much as an entry.
std::vector<Index> balanced_bounds(const SparseRows& sparse) {
  std::vector<Index> bounds{0};
  const auto work_before = [&](Index row) { return static_cast<Index>(sparse.offsets[row]) + row; };
  while (bounds.back() < sparse.rows) {
    const Index target = work_before(bounds.back()) + kBlockWork;
    Index low = bounds.back() + 1;  // a block has a row at least
    Index high = sparse.rows;
    while (low < high) {
      const Index middle = low + (high - low) / 2;
      if (work_before(middle) < target) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    bounds.push_back(low);
  }
  return bounds;
}

/// out_i = Σ term(value, x[column]) over the entries of row i, for rows [begin, end).
template <class Term>
void sum_rows(const SparseRows& sparse, Index begin, Index end, const double* x, double* out,
              Term term) {
  const std::uint64_t* const offsets = sparse.offsets.data();
  const std::uint32_t* const columns = sparse.columns.data();
  const float* const values = sparse.values.data();
  const std::uint64_t stop = offsets[end];
  for (Index i = begin; i < end; ++i) {
    double sum = 0;
    const std::uint64_t row_end = offsets[i + 1];
    for (std::uint64_t e = offsets[i]; e < row_end; ++e) {
      // Where x is larger than the cache, waiting for it is all the time there is.
      __builtin_prefetch(x + columns[std::min(e + kPrefetch, stop - 1)]);
      sum += term(values[e], x[columns[e]]);
    }
    out[i] = sum;
  }
}

/// Calls run(b) for every block. Under a limit of memory they go window by window: the next one is
/// read ahead, the last one leaves memory.
template <class Run>
void for_each_block(const SparseRows& sparse, const std::vector<Index>& bounds, const Run& run) {
  const Index count = std::ssize(bounds) - 1;
  if (memory_limit() == 0) {
    parallel_for(count, run);
    return;
  }
  const auto window = static_cast<Index>(
      std::clamp<std::size_t>(memory_limit() / kWindowShare / kBlockBytes, 4, 512));
  const auto rows_at = [&](Index block) { return bounds[std::min(block, count)]; };
  for (Index first = 0; first < count; first += window) {
    const Index last = std::min(first + window, count);
    expect_rows(sparse, rows_at(last), rows_at(last + window));
    parallel_for(last - first, [&](Index b) { run(first + b); });
    release_rows(sparse, rows_at(first), rows_at(last));
  }
}

/// The same for all rows, block by block.
template <class Term>
void sum_all_rows(const SparseRows& sparse, const std::vector<Index>& bounds, const double* x,
                  Vector& out, Term term) {
  for_each_block(sparse, bounds, [&](Index b) {
    const Index begin = bounds[b];
    const Index end = bounds[b + 1];
    sum_rows(sparse, begin, end, x, out.data(), term);
  });
}

constexpr auto kProduct = [](double value, double x) { return value * x; };
constexpr auto kSquareProduct = [](double value, double x) { return value * value * x; };

/// Rows [begin, end) of the products with `lanes` vectors, x and out row-major.
template <int lanes>
void sum_rows_of_many(const SparseRows& sparse, Index begin, Index end, const double* x,
                      double* out) {
  const std::uint64_t* const offsets = sparse.offsets.data();
  const std::uint32_t* const columns = sparse.columns.data();
  const float* const values = sparse.values.data();
  const std::uint64_t stop = offsets[end];
  for (Index i = begin; i < end; ++i) {
    double sum[lanes] = {};
    const std::uint64_t row_end = offsets[i + 1];
    for (std::uint64_t e = offsets[i]; e < row_end; ++e) {
      __builtin_prefetch(x + std::size_t{columns[std::min(e + kPrefetchMany, stop - 1)]} * lanes);
      const double value = values[e];
      const double* const at = x + std::size_t{columns[e]} * lanes;
      for (int l = 0; l < lanes; ++l) sum[l] += value * at[l];
    }
    for (int l = 0; l < lanes; ++l) out[i * lanes + l] = sum[l];
  }
}

/// All rows, block by block, for up to eight vectors.
void sum_all_rows_of_many(const SparseRows& sparse, const std::vector<Index>& bounds,
                          const RowMatrix& x, RowMatrix& out) {
  constexpr decltype(&sum_rows_of_many<1>) kSums[] = {
      sum_rows_of_many<1>, sum_rows_of_many<2>, sum_rows_of_many<3>, sum_rows_of_many<4>,
      sum_rows_of_many<5>, sum_rows_of_many<6>, sum_rows_of_many<7>, sum_rows_of_many<8>};
  const auto sum = kSums[x.cols() - 1];
  for_each_block(sparse, bounds,
                 [&](Index b) { sum(sparse, bounds[b], bounds[b + 1], x.data(), out.data()); });
}

}  // namespace

SparseDesign::SparseDesign(SparseRows rows)
    : Design(rows.rows, rows.cols), by_row_(std::move(rows)), by_column_(transposed(by_row_)) {
  by_row_.transpose.reset();  // held in by_column_ now, and not longer than that
  find_blocks();
}

void SparseDesign::find_blocks() {
  row_bounds_ = balanced_bounds(by_row_);
  column_bounds_ = balanced_bounds(by_column_);
}

std::unique_ptr<Design> SparseDesign::clone() const {
  return std::make_unique<SparseDesign>(*this);
}

void SparseDesign::do_multiply(const Eigen::Ref<const Vector>& w, Vector& out) const {
  sum_all_rows(by_row_, row_bounds_, w.data(), out, kProduct);
}

void SparseDesign::do_multiply_transposed(const Vector& r, Vector& out) const {
  sum_all_rows(by_column_, column_bounds_, r.data(), out, kProduct);
}

void SparseDesign::do_multiply_many(const RowMatrix& w, RowMatrix& out) const {
  if (w.cols() < 1 || w.cols() > kMostLanes) return Design::do_multiply_many(w, out);
  sum_all_rows_of_many(by_row_, row_bounds_, w, out);
}

void SparseDesign::do_multiply_transposed_many(const RowMatrix& r, RowMatrix& out) const {
  if (r.cols() < 1 || r.cols() > kMostLanes) return Design::do_multiply_transposed_many(r, out);
  sum_all_rows_of_many(by_column_, column_bounds_, r, out);
}

void SparseDesign::do_weighted_square_norms(const Vector& beta, Vector& out) const {
  sum_all_rows(by_column_, column_bounds_, beta.data(), out, kSquareProduct);
}

void SparseDesign::do_weighted_gram(const Vector& beta, Matrix& out) const {
  sparse_weighted_gram(by_row_, by_column_, beta, out);
}

void SparseDesign::do_weighted_outer(const Vector& gamma, Matrix& out) const {
  sparse_weighted_gram(by_column_, by_row_, gamma, out);
}

void SparseDesign::do_columns(std::span<const Index> which, Matrix& out) const {
  out.setZero();
  parallel_for(out.cols(), [&](Index k) {
    const auto column = static_cast<std::size_t>(which[k]);
    for (std::uint64_t e = by_column_.offsets[column]; e < by_column_.offsets[column + 1]; ++e) {
      out(by_column_.columns[e], k) = by_column_.values[e];
    }
  });
}

void SparseDesign::do_keep(std::span<const Index> active) {
  by_row_ = std::get<SparseRows>(select_columns(by_row_, active));
  by_column_ = std::get<SparseRows>(select_rows(by_column_, active));
  find_blocks();
}

}  // namespace ardent
