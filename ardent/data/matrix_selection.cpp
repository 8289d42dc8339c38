// Rows and columns of features that are selected, and dense rows made sparse: copies.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/data/build_sparse.h"
#include "ardent/data/matrix.h"
#include "ardent/data/sparse_selection.h"

namespace ardent {
namespace {

constexpr Index kSelectedRowBlock = 1024;

DenseRows dense_room(Index row_count, Index col_count) {
  const auto count = static_cast<std::size_t>(row_count) * static_cast<std::size_t>(col_count);
  return {row_count, col_count, Buffer<double>::allocate(count)};
}

void require_rows(std::span<const Index> which, Index row_count) {
  for (const Index i : which) {
    if (i < 0 || i >= row_count) {
      throw InputError(
          fmt::format("row {} was asked for, but there are {} rows", i + 1, row_count));
    }
  }
}

void require_ascending_columns(std::span<const Index> which, Index col_count) {
  Index previous = -1;
  for (const Index k : which) {
    if (k <= previous || k >= col_count) {
      throw InputError(fmt::format("columns must be ascending and at most {}, but {} follows {}",
                                   col_count, k + 1, previous + 1));
    }
    previous = k;
  }
}

}  // namespace

Features select_rows(const Features& features, std::span<const Index> which) {
  require_rows(which, rows(features));
  if (const auto* sparse = std::get_if<SparseRows>(&features)) {
    return copy_rows({*sparse}, which);
  }
  if (const auto* streamed = std::get_if<StreamedRows>(&features)) {
    return copy_rows(*streamed, which);
  }
  const auto& dense = std::get<DenseRows>(features);
  DenseRows result = dense_room(std::ssize(which), dense.cols);
  double* out = result.values.mutable_data();
  parallel_blocks(result.rows, kSelectedRowBlock, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const auto row = dense.row(which[i]);
      std::copy(row.begin(), row.end(), out + i * dense.cols);
    }
  });
  return result;
}

Features select_columns(const Features& features, std::span<const Index> which) {
  require_ascending_columns(which, cols(features));
  if (std::ssize(which) == cols(features)) return features;
  if (const auto* sparse = std::get_if<SparseRows>(&features)) {
    return copy_columns({*sparse}, which);
  }
  if (const auto* streamed = std::get_if<StreamedRows>(&features)) {
    return copy_columns(*streamed, which);
  }
  const auto& dense = std::get<DenseRows>(features);
  DenseRows result = dense_room(dense.rows, std::ssize(which));
  double* out = result.values.mutable_data();
  parallel_blocks(result.rows, kSelectedRowBlock, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const auto row = dense.row(i);
      double* to = out + i * result.cols;
      for (const Index k : which) *to++ = row[k];
    }
  });
  return result;
}

SparseRows to_sparse(const DenseRows& dense) {
  return build_sparse(dense.rows, dense.cols, [&](Index i, auto take) {
    const auto row = dense.row(i);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const auto value = static_cast<float>(row[k]);
      if (std::isinf(value) && std::isfinite(row[k])) {
        throw InputError(fmt::format(
            "row {}, column {}: {} is beyond the range of sparse values (float32): keep the "
            "features dense, or scale them",
            i + 1, k + 1, row[k]));
      }
      if (value != 0) take(static_cast<std::uint32_t>(k), value);
    }
  });
}

}  // namespace ardent
