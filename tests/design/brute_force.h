// Every operation of a design against plain dense arithmetic on the matrix it stands for.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/design/design.h"
#include "tests/problems/random_matrix.h"

namespace ardent::brute_force {

/// Relative to the largest entry, or to 1.
inline void expect_near(const Matrix& found, const Matrix& wanted, double tolerance,
                        const char* what) {
  ASSERT_EQ(found.rows(), wanted.rows()) << what;
  ASSERT_EQ(found.cols(), wanted.cols()) << what;
  if (wanted.size() == 0) return;
  const double scale = std::max(1.0, wanted.cwiseAbs().maxCoeff());
  EXPECT_LE((found - wanted).cwiseAbs().maxCoeff(), tolerance * scale) << what;
}

/// The columns of m named.
inline Matrix pick(const Matrix& m, const std::vector<Index>& which) {
  Matrix picked(m.rows(), std::ssize(which));
  for (Index k = 0; k < picked.cols(); ++k) picked.col(k) = m.col(which[k]);
  return picked;
}

inline void expect_operations(const Design& design, const Matrix& phi, double tolerance = 1e-12) {
  ASSERT_EQ(design.rows(), phi.rows());
  ASSERT_EQ(design.cols(), phi.cols());
  const Vector w = problems::random_vector(phi.cols(), 101);
  const Vector r = problems::random_vector(phi.rows(), 102);
  const Vector beta = problems::random_vector(phi.rows(), 103).cwiseAbs();
  const Vector gamma = problems::random_vector(phi.cols(), 104).cwiseAbs();
  Vector vector;
  Matrix matrix;
  design.multiply(w, vector);
  expect_near(vector, phi * w, tolerance, "Phi w");
  design.multiply_transposed(r, vector);
  expect_near(vector, phi.transpose() * r, tolerance, "Phiᵀ r");
  for (const Index lanes : {1, 5, 8, 11}) {
    const RowMatrix many = problems::random_matrix(phi.cols(), lanes, 106);
    const RowMatrix rows = problems::random_matrix(phi.rows(), lanes, 107);
    RowMatrix products;
    design.multiply_many(many, products);
    expect_near(products, phi * many, tolerance, "Phi W");
    design.multiply_transposed_many(rows, products);
    expect_near(products, phi.transpose() * rows, tolerance, "Phiᵀ R");
  }
  design.weighted_square_norms(beta, vector);
  expect_near(vector, phi.cwiseAbs2().transpose() * beta, tolerance, "weighted square norms");
  design.weighted_gram(beta, matrix);
  expect_near(matrix, phi.transpose() * beta.asDiagonal() * phi, tolerance, "weighted Gram");
  EXPECT_TRUE(matrix == matrix.transpose()) << "both triangles hold the same bits";
  design.weighted_outer(gamma, matrix);
  expect_near(matrix, phi * gamma.asDiagonal() * phi.transpose(), tolerance, "weighted outer");
  EXPECT_TRUE(matrix == matrix.transpose()) << "both triangles hold the same bits";

  std::vector<Index> which;  // every third column, backwards, the first one twice
  for (Index k = phi.cols() - 1; k >= 0; k -= 3) which.push_back(k);
  if (!which.empty()) which.push_back(which.front());
  expect_near(design.columns(which), pick(phi, which), tolerance, "columns");
}

/// Scaling, pruning, and clones that do not feel either.
inline void expect_scaling_and_pruning(const Design& original, const Matrix& phi,
                                       double tolerance = 1e-12) {
  const auto design = original.clone();
  Vector factors = problems::random_vector(phi.cols(), 105);
  if (factors.size() > 2) factors[2] = 0;
  design->scale_columns(factors);
  Matrix scaled = phi * factors.asDiagonal();
  expect_operations(*design, scaled, tolerance);

  std::vector<Index> active;  // drops the first column and every fourth
  for (Index k = 0; k < phi.cols(); ++k) {
    if (k % 4 != 0) active.push_back(k);
  }
  const auto pruned = design->clone();
  pruned->keep(active);
  expect_operations(*pruned, pick(scaled, active), tolerance);
  expect_operations(*design, scaled, tolerance);

  const Vector again = Vector::Constant(pruned->cols(), -2.5);
  pruned->scale_columns(again);
  expect_operations(*pruned, -2.5 * pick(scaled, active), tolerance);
  pruned->keep(std::vector<Index>{});
  expect_operations(*pruned, Matrix(phi.rows(), 0), tolerance);
  expect_operations(original, phi, tolerance);
}

inline void expect_design(const Design& design, const Matrix& phi, double tolerance = 1e-12) {
  expect_operations(design, phi, tolerance);
  expect_scaling_and_pruning(design, phi, tolerance);
}

/// All results in one list, to compare bit by bit.
inline std::vector<double> all_results(const Design& design) {
  std::vector<double> all;
  const auto append = [&](const auto& m) { all.insert(all.end(), m.data(), m.data() + m.size()); };
  Vector vector;
  Matrix matrix;
  design.multiply(problems::random_vector(design.cols(), 1), vector);
  append(vector);
  const Vector beta = problems::random_vector(design.rows(), 2).cwiseAbs();
  design.multiply_transposed(beta, vector);
  append(vector);
  const RowMatrix weights = problems::random_matrix(design.cols(), 5, 4);
  const RowMatrix residuals = problems::random_matrix(design.rows(), 5, 5);
  RowMatrix products;
  design.multiply_many(weights, products);
  append(products);
  design.multiply_transposed_many(residuals, products);
  append(products);
  design.weighted_square_norms(beta, vector);
  append(vector);
  design.weighted_gram(beta, matrix);
  append(matrix);
  design.weighted_outer(problems::random_vector(design.cols(), 3).cwiseAbs(), matrix);
  append(matrix);
  return all;
}

/// `make` builds the design and prunes it if it likes: that too must not depend on the threads.
template <class Make>
void expect_same_bits(const Make& make) {
  std::vector<std::vector<double>> results;
  for (const int count : {1, 2, 8}) {
    const ThreadScope scope(count);
    results.push_back(all_results(*make()));
  }
  EXPECT_TRUE(results[0] == results[1]);
  EXPECT_TRUE(results[0] == results[2]);
}

}  // namespace ardent::brute_force
