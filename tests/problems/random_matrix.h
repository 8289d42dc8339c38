// Random matrices, and the same numbers in each of the forms that data come in.
#pragma once

#include <algorithm>
#include <vector>

#include "ardent/base/random.h"
#include "ardent/data/matrix.h"

namespace ardent::problems {

inline Vector random_vector(Index n, std::uint64_t seed) {
  Random random(seed);
  Vector v(n);
  for (Index i = 0; i < n; ++i) v[i] = random.normal();
  return v;
}

/// Standard normal entries, each kept with probability `density` and 0 otherwise; they are exact in
/// float32, so that dense and sparse forms hold the same numbers.
inline Matrix random_matrix(Index rows, Index cols, std::uint64_t seed, double density = 1) {
  Random random(seed);
  Matrix m = Matrix::Zero(rows, cols);
  for (Index k = 0; k < cols; ++k) {
    for (Index i = 0; i < rows; ++i) {
      const double value = random.normal();
      if (random.uniform() < density) m(i, k) = static_cast<float>(value);
    }
  }
  return m;
}

inline DenseRows dense_rows(Index rows, Index cols, const std::vector<double>& values) {
  return {rows, cols, Buffer<double>::copy_of(values)};
}

inline Matrix matrix_of(const Features& features) {
  const DenseRows dense = to_dense(features);
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(dense.values.data(),
                                                                          dense.rows, dense.cols);
}

inline DenseRows dense_rows(const Matrix& m) {
  DenseRows result{m.rows(), m.cols(), Buffer<double>::allocate(m.size())};
  double* value = result.values.mutable_data();
  for (Index i = 0; i < m.rows(); ++i) {
    for (Index k = 0; k < m.cols(); ++k) *value++ = m(i, k);
  }
  return result;
}

inline SparseRows sparse_rows(const Matrix& m) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  for (Index i = 0; i < m.rows(); ++i) {
    for (Index k = 0; k < m.cols(); ++k) {
      if (m(i, k) == 0) continue;
      columns.push_back(static_cast<std::uint32_t>(k));
      values.push_back(static_cast<float>(m(i, k)));
    }
    offsets.push_back(columns.size());
  }
  SparseRows result;
  result.rows = m.rows();
  result.cols = m.cols();
  result.offsets = Buffer<std::uint64_t>::copy_of(offsets);
  result.columns = Buffer<std::uint32_t>::copy_of(columns);
  result.values = Buffer<float>::copy_of(values);
  return result;
}

/// XᵀX + ridge·I of a random (n + 10)×n X.
inline Matrix random_positive_definite(Index n, std::uint64_t seed, double ridge = 0.1) {
  const Matrix x = random_matrix(n + 10, n, seed);
  return x.transpose() * x + ridge * Matrix::Identity(n, n);
}

}  // namespace ardent::problems
