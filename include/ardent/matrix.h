// Numbers in rows and columns, as they pass between a program and the library. Eigen's matrices and
// vectors, and all that answer like them, become these and these become Eigen's; what is passed is
// plain memory, whatever either side was compiled with.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ardent/abi.h"
#include "ardent/index.h"

namespace ardent::ARDENT_V0 {

/// Has rows(), cols() and elements (i, j): Eigen's matrices, maps, references and blocks.
template <class M>
concept MatrixLike = requires(const M& m, Index i) {
  { m.rows() } -> std::convertible_to<Index>;
  { m.cols() } -> std::convertible_to<Index>;
  { m(i, i) } -> std::convertible_to<double>;
};

/// Has size() and elements [i]: Eigen's vectors, std::vector, std::span, std::array.
template <class V>
concept VectorLike = requires(const V& v, std::size_t i) {
  { v.size() } -> std::convertible_to<Index>;
  { v[i] } -> std::convertible_to<double>;
};

/// Has entries to walk through: Eigen::SparseMatrix, by rows or by columns.
template <class M>
concept SparseLike = !MatrixLike<M> && requires(const M& m) {
  typename M::InnerIterator;
  { m.outerSize() } -> std::convertible_to<Index>;
  { m.rows() } -> std::convertible_to<Index>;
  { m.cols() } -> std::convertible_to<Index>;
};

template <VectorLike V>
std::vector<double> numbers_of(const V& v) {
  std::vector<double> numbers(static_cast<std::size_t>(v.size()));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(v[i]);
  return numbers;
}

/// Dense, row after row.
class Matrix {
 public:
  Matrix() = default;
  Matrix(Index rows, Index cols, double value = 0)
      : rows_(rows), cols_(cols), values_(static_cast<std::size_t>(rows * cols), value) {}
  template <class M>
  requires(MatrixLike<M> && !std::same_as<M, Matrix>) Matrix(const M& m)
      : Matrix(m.rows(), m.cols()) {  // NOLINT: meant to be implicit
    for (Index i = 0; i < rows_; ++i) {
      for (Index j = 0; j < cols_; ++j) (*this)(i, j) = static_cast<double>(m(i, j));
    }
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  double operator()(Index i, Index j) const { return values_[place(i, j)]; }
  double& operator()(Index i, Index j) { return values_[place(i, j)]; }
  std::span<const double> row(Index i) const {
    return std::span(values_).subspan(place(i, 0), static_cast<std::size_t>(cols_));
  }
  const std::vector<double>& values() const { return values_; }

  /// The same as another type, e.g. Eigen::MatrixXd.
  template <class M>
  M as() const {
    M m(rows_, cols_);
    for (Index i = 0; i < rows_; ++i) {
      for (Index j = 0; j < cols_; ++j) m(i, j) = (*this)(i, j);
    }
    return m;
  }

 private:
  std::size_t place(Index i, Index j) const { return static_cast<std::size_t>(i * cols_ + j); }

  Index rows_ = 0;
  Index cols_ = 0;
  std::vector<double> values_;
};

/// Compressed sparse rows: row i holds entries offsets[i] … offsets[i+1), columns ascending from 0.
struct SparseMatrix {
  Index rows = 0;
  Index cols = 0;
  std::vector<std::uint64_t> offsets{0};  // rows + 1
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
};

/// Entries may come in any order of rows; those of a row by ascending columns, as Eigen has them.
template <SparseLike M>
SparseMatrix sparse_of(const M& m) {
  SparseMatrix sparse{m.rows(), m.cols(), {}, {}, {}};
  sparse.offsets.assign(static_cast<std::size_t>(m.rows()) + 1, 0);
  const auto visit = [&m](const auto& take) {
    for (Index k = 0; k < m.outerSize(); ++k) {
      for (typename M::InnerIterator entry(m, k); entry; ++entry) {
        take(static_cast<std::size_t>(entry.row()), entry.col(), entry.value());
      }
    }
  };
  visit([&](std::size_t row, auto, auto) { ++sparse.offsets[row + 1]; });
  for (std::size_t i = 1; i < sparse.offsets.size(); ++i)
    sparse.offsets[i] += sparse.offsets[i - 1];
  sparse.columns.resize(sparse.offsets.back());
  sparse.values.resize(sparse.offsets.back());
  std::vector<std::uint64_t> next(sparse.offsets.begin(), sparse.offsets.end() - 1);
  visit([&](std::size_t row, auto column, auto value) {
    const std::uint64_t at = next[row]++;
    sparse.columns[at] = static_cast<std::uint32_t>(column);
    sparse.values[at] = static_cast<float>(value);
  });
  return sparse;
}

}  // namespace ardent::ARDENT_V0
