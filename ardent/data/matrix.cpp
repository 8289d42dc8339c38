#include "ardent/data/matrix.h"

#include <fmt/format.h>

#include <algorithm>

#include "ardent/base/error.h"
#include "ardent/base/memory_limit.h"
#include "ardent/base/parallel.h"

namespace ardent {
namespace {

constexpr Index kMatrixRowBlock = 1024;

DenseRows allocate_dense(Index row_count, Index col_count) {
  const auto count = static_cast<std::size_t>(row_count) * static_cast<std::size_t>(col_count);
  return {row_count, col_count, Buffer<double>::allocate(count)};
}

}  // namespace

void expect_rows(const SparseRows& sparse, Index begin, Index end) {
  if (memory_limit() == 0) return;
  const std::uint64_t first = sparse.offsets[begin], count = sparse.offsets[end] - first;
  expect_pages(sparse.columns.data() + first, count * sizeof(std::uint32_t));
  expect_pages(sparse.values.data() + first, count * sizeof(float));
}

void release_rows(const SparseRows& sparse, Index begin, Index end) {
  if (memory_limit() == 0) return;
  const std::uint64_t first = sparse.offsets[begin], count = sparse.offsets[end] - first;
  release_pages(sparse.columns.data() + first, count * sizeof(std::uint32_t));
  release_pages(sparse.values.data() + first, count * sizeof(float));
}

Index rows(const Features& features) {
  return std::visit([](const auto& f) { return f.rows; }, features);
}

Index cols(const Features& features) {
  return std::visit([](const auto& f) { return f.cols; }, features);
}

bool is_sparse(const Features& features) {
  return !std::holds_alternative<DenseRows>(features);
}

Index stored(const Features& features) {
  if (const auto* sparse = std::get_if<SparseRows>(&features)) return sparse->nonzeros();
  if (const auto* streamed = std::get_if<StreamedRows>(&features)) {
    return streamed->stored.nonzeros();
  }
  return rows(features) * cols(features);
}

Features widened(const Features& features, Index col_count) {
  if (const auto* sparse = std::get_if<SparseRows>(&features)) {
    SparseRows wide = *sparse;
    wide.cols = col_count;
    wide.transpose = nullptr;
    return wide;
  }
  const auto& narrow = std::get<DenseRows>(features);
  const double bytes = static_cast<double>(narrow.rows) * static_cast<double>(col_count) * 8;
  if (bytes > static_cast<double>(kDenseLimitBytes)) return widened(to_sparse(narrow), col_count);
  DenseRows wide = allocate_dense(narrow.rows, col_count);
  double* to = wide.values.mutable_data();
  for (Index i = 0; i < narrow.rows; ++i, to += col_count) {
    const auto row = narrow.row(i);
    std::fill(std::copy(row.begin(), row.end(), to), to + col_count, 0.0);
  }
  return wide;
}

double dense_bytes(const Features& features) {
  return static_cast<double>(rows(features)) * static_cast<double>(cols(features)) *
         static_cast<double>(sizeof(double));
}

DenseRows to_dense(const Features& features, std::size_t limit_bytes) {
  if (const auto* dense = std::get_if<DenseRows>(&features)) return *dense;
  const auto& sparse = std::get<SparseRows>(features);
  if (dense_bytes(features) > static_cast<double>(limit_bytes)) {
    throw InputError(fmt::format(
        "{} × {} sparse features would take {:.1f} GiB as dense rows, more than the {:.1f} GiB "
        "allowed: keep them sparse, or select fewer rows or columns",
        sparse.rows, sparse.cols, dense_bytes(features) / 0x1p30,
        static_cast<double>(limit_bytes) / 0x1p30));
  }
  DenseRows result = allocate_dense(sparse.rows, sparse.cols);
  double* out = result.values.mutable_data();
  parallel_blocks(sparse.rows, kMatrixRowBlock, [&](Index begin, Index end) {
    std::fill(out + begin * sparse.cols, out + end * sparse.cols, 0.0);
    for (Index i = begin; i < end; ++i) {
      for (std::uint64_t e = sparse.offsets[i]; e < sparse.offsets[i + 1]; ++e) {
        out[i * sparse.cols + sparse.columns[e]] = sparse.values[e];
      }
    }
  });
  return result;
}

Matrix dense_matrix(const Features& features) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const DenseRows dense = to_dense(features);
  return Eigen::Map<const RowMajor>(dense.values.data(), dense.rows, dense.cols);
}

}  // namespace ardent
