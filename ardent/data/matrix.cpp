#include "ardent/data/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "ardent/base/error.h"
#include "ardent/base/memory_limit.h"
#include "ardent/base/parallel.h"

namespace ardent {
namespace {

constexpr Index kMatrixRowBlock = 1024;

/// offsets[i+1] holds the entries of row i; makes them the running total.
std::uint64_t accumulate_offsets(Buffer<std::uint64_t>& offsets) {
  std::uint64_t* total = offsets.mutable_data();
  total[0] = 0;
  std::partial_sum(total, total + offsets.size(), total);
  return total[offsets.size() - 1];
}

/// Now and then, by the row that a loop has come to: entries before it are done with.
void release_before(const SparseRows& sparse, Index row) {
  constexpr int kShift = 16;  // every 64 thousand entries
  if (memory_limit() == 0) return;
  const std::uint64_t begin = sparse.offsets[row], piece = begin >> kShift;
  if (piece == 0 || piece == sparse.offsets[row + 1] >> kShift) return;
  const std::uint64_t first = (piece - 1) << kShift, count = begin - first;
  release_pages(sparse.columns.data() + first, count * sizeof(std::uint32_t));
  release_pages(sparse.values.data() + first, count * sizeof(float));
}

/// Copies entries row by row: `visit(i, take)` calls take(column, value) for each entry of new row
/// i. It runs twice, to count and to fill.
template <class Visit>
SparseRows build_sparse(Index row_count, Index col_count, const Visit& visit) {
  SparseRows result;
  result.rows = row_count;
  result.cols = col_count;
  result.offsets = Buffer<std::uint64_t>::allocate(row_count + 1);
  std::uint64_t* offsets = result.offsets.mutable_data();
  parallel_blocks(row_count, kMatrixRowBlock, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      std::uint64_t count = 0;
      visit(i, [&](std::uint32_t, float) { ++count; });
      offsets[i + 1] = count;
    }
  });
  const std::uint64_t total = accumulate_offsets(result.offsets);
  result.columns = Buffer<std::uint32_t>::allocate(total);
  result.values = Buffer<float>::allocate(total);
  std::uint32_t* columns = result.columns.mutable_data();
  float* values = result.values.mutable_data();
  parallel_blocks(row_count, kMatrixRowBlock, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      release_before(result, i);
      std::uint64_t next = offsets[i];
      visit(i, [&](std::uint32_t column, float value) {
        columns[next] = column;
        values[next++] = value;
      });
    }
    release_rows(result, begin, end);
  });
  return result;
}

DenseRows allocate_dense(Index row_count, Index col_count) {
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

SparseRows select_sparse_rows(const SparseRows& sparse, std::span<const Index> which) {
  const auto count = std::ssize(which);
  return build_sparse(count, sparse.cols, [&](Index i, auto take) {
    const Index row = which[i];
    release_before(sparse, row);
    for (std::uint64_t e = sparse.offsets[row]; e < sparse.offsets[row + 1]; ++e) {
      take(sparse.columns[e], sparse.values[e]);
    }
  });
}

SparseRows select_sparse_columns(const SparseRows& sparse, std::span<const Index> which) {
  constexpr std::uint32_t kDropped = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> place(sparse.cols, kDropped);
  for (std::uint32_t k = 0; k < which.size(); ++k) place[which[k]] = k;
  const auto count = std::ssize(which);
  return build_sparse(sparse.rows, count, [&](Index i, auto take) {
    release_before(sparse, i);
    for (std::uint64_t e = sparse.offsets[i]; e < sparse.offsets[i + 1]; ++e) {
      const std::uint32_t k = place[sparse.columns[e]];
      if (k != kDropped) take(k, sparse.values[e]);
    }
  });
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
  return std::holds_alternative<SparseRows>(features);
}

Index stored(const Features& features) {
  if (const auto* sparse = std::get_if<SparseRows>(&features)) return sparse->nonzeros();
  return rows(features) * cols(features);
}

Features select_rows(const Features& features, std::span<const Index> which) {
  require_rows(which, rows(features));
  if (const auto* sparse = std::get_if<SparseRows>(&features)) {
    return select_sparse_rows(*sparse, which);
  }
  const auto& dense = std::get<DenseRows>(features);
  DenseRows result = allocate_dense(std::ssize(which), dense.cols);
  double* out = result.values.mutable_data();
  parallel_blocks(result.rows, kMatrixRowBlock, [&](Index begin, Index end) {
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
    return select_sparse_columns(*sparse, which);
  }
  const auto& dense = std::get<DenseRows>(features);
  DenseRows result = allocate_dense(dense.rows, std::ssize(which));
  double* out = result.values.mutable_data();
  parallel_blocks(result.rows, kMatrixRowBlock, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const auto row = dense.row(i);
      double* to = out + i * result.cols;
      for (const Index k : which) *to++ = row[k];
    }
  });
  return result;
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
