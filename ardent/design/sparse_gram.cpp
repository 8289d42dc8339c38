#include "ardent/design/sparse_gram.h"

#include "ardent/base/parallel.h"
#include "ardent/linalg/symmetric_product.h"

namespace ardent {
namespace {

constexpr Index kSparseGramColumns = 128;  // columns of the result per task
constexpr Index kCachedEntries = 32768;    // entries of a block of rows that stays in cache
constexpr Index kDenseRows = 1024;         // rows made dense at a time
constexpr double kPackedSpeedup = 22;  // packed additions in the time of a scattered one (measured)

/// Σ_i nnz(a_i)²: the work of the scattered way.
double scattered_work(const SparseRows& by_row) {
  return parallel_sum(by_row.rows, 1 << 16, [&](Index begin, Index end) {
    double work = 0;
    for (Index i = begin; i < end; ++i) {
      const auto count = static_cast<double>(by_row.offsets[i + 1] - by_row.offsets[i]);
      work += count * count;
    }
    return work;
  });
}

/// Columns [begin, end) of the lower triangle: each row that holds k adds its entries from k on to
/// column k, a dense accumulator (Gustavson 1978). Rows are taken by blocks that stay in cache
/// while all these columns use them.
void add_scattered(const SparseRows& by_row, const SparseRows& by_column, const Vector& weights,
                   Index begin, Index end, Matrix& out) {
  const std::uint64_t* const offsets = by_row.offsets.data();
  const std::uint32_t* const columns = by_row.columns.data();
  const float* const values = by_row.values.data();
  const Index block = 1 + by_row.rows * kCachedEntries / std::max<Index>(1, by_row.nonzeros());
  std::vector<std::uint64_t> next(by_column.offsets.begin() + begin,
                                  by_column.offsets.begin() + end);
  for (Index stop = block; stop < by_row.rows + block; stop += block) {
    for (Index k = begin; k < end; ++k) {
      double* const column = out.col(k).data();
      const std::uint64_t last = by_column.offsets[k + 1];
      std::uint64_t& e = next[k - begin];
      for (; e < last && by_column.columns[e] < stop; ++e) {
        const std::uint32_t i = by_column.columns[e];
        const double factor = weights[i] * by_column.values[e];
        if (factor == 0) continue;  // a row of another fold
        // Backwards from the row's end, down to its own entry k: no search is needed.
        for (std::uint64_t j = offsets[i + 1]; j-- > offsets[i] && columns[j] >= k;) {
          column[columns[j]] += factor * values[j];
        }
      }
    }
  }
}

void add_dense_blocks(const SparseRows& by_row, const Vector& weights, Matrix& out) {
  Matrix block;
  for (Index begin = 0; begin < by_row.rows; begin += kDenseRows) {
    const Index count = std::min(kDenseRows, by_row.rows - begin);
    block.setZero(by_row.cols, count);
    parallel_blocks(count, 64, [&](Index first, Index last) {
      for (Index i = first; i < last; ++i) {
        const auto row = static_cast<std::size_t>(begin + i);
        for (std::uint64_t e = by_row.offsets[row]; e < by_row.offsets[row + 1]; ++e) {
          block(by_row.columns[e], i) = by_row.values[e];
        }
      }
    });
    add_weighted_outer(block, weights.segment(begin, count), out);
  }
}

}  // namespace

void sparse_weighted_gram(const SparseRows& by_row, const SparseRows& by_column,
                          const Vector& weights, Matrix& out) {
  out.setZero();
  const double packed_work = static_cast<double>(by_row.rows) * static_cast<double>(by_row.cols) *
                             static_cast<double>(by_row.cols);
  if (scattered_work(by_row) * kPackedSpeedup < packed_work) {
    parallel_blocks(out.cols(), kSparseGramColumns, [&](Index begin, Index end) {
      add_scattered(by_row, by_column, weights, begin, end, out);
    });
  } else {
    add_dense_blocks(by_row, weights, out);
  }
  mirror_lower(out);
}

}  // namespace ardent
