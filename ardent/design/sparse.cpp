#include "ardent/design/sparse.h"

#include "ardent/base/index_range.h"
#include "ardent/base/memory_limit.h"
#include "ardent/base/parallel.h"
#include "ardent/design/sparse_gram.h"

namespace ardent {
namespace {

constexpr Index kBlockWork = 1 << 14;        // entries and rows of a block
constexpr std::uint64_t kPrefetchMany = 16;  // the same for several vectors: more bytes each
constexpr std::size_t kBlockBytes = 8 * kBlockWork;  // of a full block
constexpr std::size_t kWindowShare =
    32;                               // of a limit of memory: what is worked on, and as much ahead
constexpr Index kMostLanes = 8;       // vectors multiplied at once
constexpr Index kNearCore = 1 << 15;  // numbers that stay in a cache near the core: 256 KiB
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

/// Values of the entries from `first` on.
struct Values {
  const float* from;
  std::uint64_t first = 0;
  float operator[](std::uint64_t entry) const { return from[entry - first]; }
};

/// out_i = Σ term(value, x[column]) over the entries of row i, for rows [begin, end).
template <bool prefetch, class Term>
void sum_rows(const SparseRows& sparse, Values values, Index begin, Index end, const double* x,
              double* out, Term term) {
  const std::uint64_t* const offsets = sparse.offsets.data();
  const std::uint32_t* const columns = sparse.columns.data();
  const std::uint64_t stop = offsets[end];
  for (Index i = begin; i < end; ++i) {
    double sum = 0;
    const std::uint64_t row_end = offsets[i + 1];
    for (std::uint64_t e = offsets[i]; e < row_end; ++e) {
      // Where x is larger than the cache, waiting for it is all the time there is.
      if constexpr (prefetch) {
        __builtin_prefetch(x + columns[std::min(e + kPrefetch, stop - 1)]);
      }
      sum += term(values[e], x[columns[e]]);
    }
    out[i] = sum;
  }
}

/// Calls run(b, values) for every block. Under a limit of memory they go window by window: the next
/// one is read ahead, the last one leaves memory.
template <class Run>
void for_each_block(const ReadEntries& entries, const std::vector<Index>& bounds,
                    const Run& run_with) {
  const SparseRows& sparse = entries.stored;
  const Index count = std::ssize(bounds) - 1;
  const auto run = [&](Index b) {
    if (!entries.scale) {
      run_with(b, Values{sparse.values.data()});
      return;
    }
    const std::uint64_t first = sparse.offsets[bounds[b]];
    const auto scaled =
        std::make_unique_for_overwrite<float[]>(sparse.offsets[bounds[b + 1]] - first);
    entries.read(bounds[b], bounds[b + 1], scaled.get());
    run_with(b, Values{scaled.get(), first});
  };
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
void sum_all_rows(const ReadEntries& entries, const std::vector<Index>& bounds, const double* x,
                  Vector& out, Term term) {
  const SparseRows& sparse = entries.stored;
  for_each_block(entries, bounds, [&](Index b, Values values) {
    const Index begin = bounds[b];
    const Index end = bounds[b + 1];
    if (sparse.cols > kNearCore) {
      sum_rows<true>(sparse, values, begin, end, x, out.data(), term);
    } else {
      sum_rows<false>(sparse, values, begin, end, x, out.data(), term);
    }
  });
}

constexpr auto kProduct = [](double value, double x) { return value * x; };
constexpr auto kSquareProduct = [](double value, double x) { return value * value * x; };

/// Rows [begin, end) of the products with `lanes` vectors, x and out row-major.
template <int lanes>
void sum_rows_of_many(const SparseRows& sparse, Values values, Index begin, Index end,
                      const double* x, double* out) {
  const std::uint64_t* const offsets = sparse.offsets.data();
  const std::uint32_t* const columns = sparse.columns.data();
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
void sum_all_rows_of_many(const ReadEntries& entries, const std::vector<Index>& bounds,
                          const RowMatrix& x, RowMatrix& out) {
  constexpr decltype(&sum_rows_of_many<1>) kSums[] = {
      sum_rows_of_many<1>, sum_rows_of_many<2>, sum_rows_of_many<3>, sum_rows_of_many<4>,
      sum_rows_of_many<5>, sum_rows_of_many<6>, sum_rows_of_many<7>, sum_rows_of_many<8>};
  const auto sum = kSums[x.cols() - 1];
  for_each_block(entries, bounds, [&](Index b, Values values) {
    sum(entries.stored, values, bounds[b], bounds[b + 1], x.data(), out.data());
  });
}

}  // namespace

SparseDesign::SparseDesign(SparseRows rows)
    : Design(rows.rows, rows.cols), by_row_(std::move(rows)), by_column_(transposed(by_row_)) {
  by_row_.transpose.reset();  // held in by_column_ now, and not longer than that
  find_blocks();
}

SparseDesign::SparseDesign(StreamedRows rows)
    : Design(rows.rows, rows.cols),
      by_row_(std::move(rows.stored)),
      by_column_(transposed(by_row_)),
      scale_(std::move(rows.scale)),
      kept_(std::move(rows.kept)) {
  by_row_.transpose.reset();
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
  if (masked()) {
    Vector all = Vector::Zero(by_row_.cols);
    all(kept_) = w;
    sum_all_rows(rows_as_read(), row_bounds_, all.data(), out, kProduct);
    return;
  }
  sum_all_rows(rows_as_read(), row_bounds_, w.data(), out, kProduct);
}

void SparseDesign::do_multiply_transposed(const Vector& r, Vector& out) const {
  if (masked()) {
    Vector all(by_row_.cols);
    sum_all_rows(columns_as_read(), column_bounds_, r.data(), all, kProduct);
    out = all(kept_);
    return;
  }
  sum_all_rows(columns_as_read(), column_bounds_, r.data(), out, kProduct);
}

void SparseDesign::do_multiply_many(const RowMatrix& w, RowMatrix& out) const {
  if (w.cols() < 1 || w.cols() > kMostLanes) return Design::do_multiply_many(w, out);
  if (masked()) {
    RowMatrix all = RowMatrix::Zero(by_row_.cols, w.cols());
    for (std::size_t k = 0; k < kept_.size(); ++k) all.row(kept_[k]) = w.row(static_cast<Index>(k));
    sum_all_rows_of_many(rows_as_read(), row_bounds_, all, out);
    return;
  }
  sum_all_rows_of_many(rows_as_read(), row_bounds_, w, out);
}

void SparseDesign::do_multiply_transposed_many(const RowMatrix& r, RowMatrix& out) const {
  if (r.cols() < 1 || r.cols() > kMostLanes) return Design::do_multiply_transposed_many(r, out);
  if (masked()) {
    RowMatrix all(by_row_.cols, r.cols());
    sum_all_rows_of_many(columns_as_read(), column_bounds_, r, all);
    for (std::size_t k = 0; k < kept_.size(); ++k)
      out.row(static_cast<Index>(k)) = all.row(kept_[k]);
    return;
  }
  sum_all_rows_of_many(columns_as_read(), column_bounds_, r, out);
}

void SparseDesign::do_weighted_square_norms(const Vector& beta, Vector& out) const {
  if (masked()) {
    Vector all(by_row_.cols);
    sum_all_rows(columns_as_read(), column_bounds_, beta.data(), all, kSquareProduct);
    out = all(kept_);
    return;
  }
  sum_all_rows(columns_as_read(), column_bounds_, beta.data(), out, kSquareProduct);
}

void SparseDesign::do_weighted_gram(const Vector& beta, Matrix& out) const {
  if (!is_compact()) {
    SparseDesign own(*this);
    own.compact();
    own.do_weighted_gram(beta, out);
    return;
  }
  sparse_weighted_gram(by_row_, by_column_, beta, out);
}

void SparseDesign::do_weighted_outer(const Vector& gamma, Matrix& out) const {
  if (!is_compact()) {
    SparseDesign own(*this);
    own.compact();
    own.do_weighted_outer(gamma, out);
    return;
  }
  sparse_weighted_gram(by_column_, by_row_, gamma, out);
}

void SparseDesign::do_columns(std::span<const Index> which, Matrix& out) const {
  out.setZero();
  parallel_for(out.cols(), [&](Index k) {
    const Index column = masked() ? kept_[which[k]] : which[k];
    for (std::uint64_t e = by_column_.offsets[column]; e < by_column_.offsets[column + 1]; ++e) {
      out(by_column_.columns[e], k) = columns_as_read().value(column, e);
    }
  });
}

void SparseDesign::do_keep(std::span<const Index> active) {
  std::vector<Index> columns(active.begin(), active.end());
  for (Index& k : columns) k = masked() ? kept_[k] : k;
  if (columns.empty() || worth_compacting(columns)) {
    kept_.clear();
    select(columns);
  } else {
    kept_ = std::move(columns);
  }
}

void SparseDesign::compact() {
  if (is_compact()) return;
  const std::vector<Index> own = masked() ? std::move(kept_) : index_range(0, by_row_.cols);
  kept_.clear();
  select(own);
}

void SparseDesign::select(std::span<const Index> columns) {
  if (!scale_ && std::ssize(columns) == by_row_.cols) return;
  by_row_ = copy_columns(rows_as_read(), columns);
  by_column_ = copy_rows(columns_as_read(), columns);
  scale_.reset();
  find_blocks();
}

bool SparseDesign::worth_compacting(std::span<const Index> columns) const {
  constexpr std::uint64_t kEntryBytes = 16, kMuchSmaller = 4;
  if (memory_limit() == 0) return true;
  std::uint64_t entries = 0;
  for (const Index k : columns) entries += by_column_.offsets[k + 1] - by_column_.offsets[k];
  return entries * kEntryBytes <= memory_limit() / 4 ||
         entries * kMuchSmaller <= static_cast<std::uint64_t>(nonzeros());
}

}  // namespace ardent
