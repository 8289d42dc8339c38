// Tropp's condition: against closed forms.
#include "ardent/inference/evidence/exact_recovery.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <numeric>

#include "ardent/base/index_range.h"
#include "ardent/base/random.h"
#include "ardent/design/dense.h"
#include "ardent/design/row_subset.h"
#include "problems/regression.h"

namespace ardent {
namespace {

Recovery recovery(const Matrix& phi, std::vector<Index> found, bool bias, Vector weights = {}) {
  ActiveProblem problem;
  problem.phi = std::make_shared<DenseDesign>(phi);
  problem.columns.resize(phi.cols());
  std::iota(problem.columns.begin(), problem.columns.end(), Index{0});
  problem.t = Vector::Zero(phi.rows());
  problem.row_weights = std::move(weights);
  return recovery_of(problem, found, bias);
}

double coefficient(const Matrix& phi, std::vector<Index> found, bool bias, Vector weights = {}) {
  return recovery(phi, std::move(found), bias, std::move(weights)).coefficient;
}

/// Columns of unit length, each pair with the same product.
Matrix equally_correlated(Index columns, double product) {
  Matrix gram = Matrix::Constant(columns, columns, product);
  gram.diagonal().setOnes();
  return gram.llt().matrixU();
}

TEST(ExactRecovery, OfEquallyCorrelatedColumnsHasAClosedForm) {
  // Phi_A⁺φ_k = (G_A)⁻¹ρ1 = ρ/(1 + (m − 1)ρ) for each of the m found.
  for (const double rho : {0.0, 0.2, 0.7}) {
    EXPECT_NEAR(coefficient(equally_correlated(8, rho), {1, 4, 6}, false), 3 * rho / (1 + 2 * rho),
                1e-12);
  }
}

TEST(ExactRecovery, AMixtureOfTheFoundHasItsCoefficients) {
  Random random(1);
  Matrix phi = problems::normal_matrix(50, 4, random);
  phi.col(3) = 0.5 * phi.col(0) - 2 * phi.col(2);
  EXPECT_NEAR(coefficient(phi, {0, 2}, false), 2.5, 1e-10);
  // A column's mean is the bias's, whatever it is.
  Matrix shifted = phi;
  shifted.rowwise() += Eigen::RowVector4d(5, -3, 2, 70);
  EXPECT_NEAR(coefficient(shifted, {0, 2}, true), 2.5, 1e-8);
  EXPECT_GT(coefficient(shifted, {0, 2}, false), 3);
}

TEST(ExactRecovery, WeightsCountRowsAsOftenAsTheySay) {
  Random random(2);
  const Matrix phi = problems::normal_matrix(12, 6, random);
  Matrix twice(24, 6);
  twice << phi, phi;
  twice = Matrix(twice.topRows(18));
  Vector weights = Vector::Ones(12);
  weights.head(6).setConstant(2);
  EXPECT_NEAR(coefficient(phi, {0, 5}, true, weights), coefficient(twice, {0, 5}, true), 1e-12);
}

TEST(ExactRecovery, CosinesAreThoseOfColumnsAboutTheirMeans) {
  Random random(4);
  Matrix phi = problems::normal_matrix(30, 7, random);
  phi.col(6).setConstant(4);
  const auto largest = [&](const Matrix& columns) {
    double most = 0;
    for (const Index a : {1, 3}) {
      for (const Index k : {0, 2, 4, 5}) {
        most =
            std::max(most, std::abs(columns.col(a).normalized().dot(columns.col(k).normalized())));
      }
    }
    return most;
  };
  const Matrix centred = phi.rowwise() - phi.colwise().mean();
  EXPECT_NEAR(recovery(phi, {1, 3}, true).cosine, largest(centred), 1e-12);
  EXPECT_NEAR(recovery(phi.leftCols(6), {1, 3}, false).cosine, largest(phi), 1e-12);
}

TEST(ExactRecovery, IsTheSameFromProductsThatFoldsHaveKept) {
  Random random(5);
  Matrix phi = problems::normal_matrix(30, 9, random);
  phi.col(8).setConstant(4);
  ActiveProblem problem;
  problem.columns = index_range(0, 9);
  problem.t = Vector::Zero(20);
  problem.row_weights = problems::normal_matrix(30, 1, random).cwiseAbs().col(0);
  const auto sums =
      std::make_shared<FoldSums>(std::make_shared<const Matrix>(phi), problem.row_weights,
                                 std::vector{index_range(0, 10), index_range(10, 30)});
  problem.phi = std::make_shared<RowSubset>(sums, index_range(10, 30), 0);
  problem.row_weights = Vector(problem.row_weights.tail(20));
  const std::vector<Index> found{1, 3, 4};
  for (const bool bias : {false, true}) {
    const Recovery own = recovery_of(problem, found, bias);
    const Recovery wanted = recovery(phi.bottomRows(20), found, bias, problem.row_weights);
    EXPECT_NEAR(own.coefficient, wanted.coefficient, 1e-10);
    EXPECT_NEAR(own.cosine, wanted.cosine, 1e-10);
  }
}

TEST(ExactRecovery, FailsForColumnsThatAreNotIndependent) {
  Random random(3);
  Matrix phi = problems::normal_matrix(20, 5, random);
  phi.col(1) = phi.col(0);
  EXPECT_FALSE(coefficient(phi, {0, 1}, false) < 1);
}

}  // namespace
}  // namespace ardent
