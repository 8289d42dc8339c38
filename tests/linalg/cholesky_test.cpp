#include "ardent/linalg/cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "tests/problems/random_matrix.h"

namespace ardent {
namespace {

using problems::random_matrix;
using problems::random_positive_definite;
using problems::random_vector;

double largest(const Matrix& m) {
  return m.size() == 0 ? 0 : m.cwiseAbs().maxCoeff();
}

// One panel, the edges of a panel, several panels.
class CholeskyOfSize : public testing::TestWithParam<Index> {};

TEST_P(CholeskyOfSize, MatchesFullPivotingElimination) {
  const Index n = GetParam();
  const Matrix h = random_positive_definite(n, 1);
  const Matrix b = random_matrix(n, 5, 2);
  const Cholesky cholesky(h);
  const Eigen::FullPivLU<Matrix> reference(h);
  const Matrix inverse = reference.inverse();
  const double tolerance = 1e-9;  // the condition is about 1e4
  EXPECT_EQ(cholesky.jitter(), 0);
  EXPECT_LE(largest(cholesky.inverse() - inverse), tolerance * largest(inverse));
  EXPECT_LE(largest(cholesky.inverse_diagonal() - inverse.diagonal()),
            tolerance * largest(inverse));
  EXPECT_LE(largest(cholesky.solve(b) - reference.solve(b)),
            tolerance * largest(reference.solve(b)));
  const Vector one = b.col(0);
  EXPECT_LE(largest(cholesky.solve(one) - cholesky.solve(b).col(0)),
            tolerance * largest(reference.solve(b)));
  const Vector pivots = Eigen::LDLT<Matrix>(h).vectorD();
  EXPECT_NEAR(cholesky.log_determinant(), pivots.array().log().sum(),
              1e-11 * static_cast<double>(n + 1));
}

TEST_P(CholeskyOfSize, HalfSolveGivesTheQuadraticForm) {
  const Index n = GetParam();
  const Matrix h = random_positive_definite(n, 3);
  const Matrix b = random_matrix(n, 4, 4);
  const Matrix half = Cholesky(h).half_solve(b);
  const Matrix wanted = b.transpose() * Eigen::FullPivLU<Matrix>(h).solve(b);
  EXPECT_LE(largest(half.transpose() * half - wanted), 1e-9 * largest(wanted));
}

TEST_P(CholeskyOfSize, ReadsTheLowerTriangleOnly) {
  const Index n = GetParam();
  const Matrix h = random_positive_definite(n, 5);
  Matrix spoilt = h;
  spoilt.triangularView<Eigen::StrictlyUpper>().setConstant(
      std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(Cholesky(spoilt).inverse(), Cholesky(h).inverse());
}

INSTANTIATE_TEST_SUITE_P(Sizes, CholeskyOfSize, testing::Values(1, 2, 7, 95, 96, 97, 192, 250));

TEST(Cholesky, OfNothingWorks) {
  const Cholesky cholesky{Matrix(0, 0)};
  EXPECT_EQ(cholesky.solve(Vector(0)).size(), 0);
  EXPECT_EQ(cholesky.solve(Matrix(0, 3)).cols(), 3);
  EXPECT_EQ(cholesky.inverse().size(), 0);
  EXPECT_EQ(cholesky.inverse_diagonal().size(), 0);
  EXPECT_EQ(cholesky.half_solve(Matrix(0, 2)).cols(), 2);
  EXPECT_EQ(cholesky.log_determinant(), 0);
}

TEST(Cholesky, OneByOneIsArithmetic) {
  const Cholesky cholesky(Matrix{{4.0}});
  EXPECT_EQ(cholesky.solve(Vector(Vector::Constant(1, 6)))[0], 1.5);
  EXPECT_EQ(cholesky.inverse()(0, 0), 0.25);
  EXPECT_EQ(cholesky.inverse_diagonal()[0], 0.25);
  EXPECT_DOUBLE_EQ(cholesky.log_determinant(), std::log(4.0));
}

TEST(Cholesky, DuplicateColumnsGiveAFiniteAnswerAndAReportedJitter) {
  for (const Index n : {2, 20, 150}) {
    Matrix x = random_matrix(n + 5, n, 6);
    x.col(n - 1) = x.col(0);
    const Matrix h = x.transpose() * x;
    const Cholesky cholesky(h);
    EXPECT_GT(cholesky.jitter(), 0) << n;
    EXPECT_LE(cholesky.jitter(), 1e-11) << n;
    // A right side in the range of H has solutions; ours is one of them.
    const Vector b = h * random_vector(n, 7);
    const Vector solution = cholesky.solve(b);
    EXPECT_LE(largest(h * solution - b), 1e-6 * largest(b)) << n;
    EXPECT_TRUE(cholesky.inverse().allFinite());
    EXPECT_TRUE(std::isfinite(cholesky.log_determinant()));
  }
}

TEST(Cholesky, MoreColumnsThanRowsIsSemidefiniteAndStillSolved) {
  const Matrix x = random_matrix(40, 130, 8);
  const Matrix h = x.transpose() * x;
  const Cholesky cholesky(h);
  EXPECT_GT(cholesky.jitter(), 0);
  const Vector b = h * random_vector(130, 9);
  EXPECT_LE(largest(h * cholesky.solve(b) - b), 1e-5 * largest(b));
}

// Without equilibration these lose every digit of the small rows.
TEST(Cholesky, ScalesFrom1eMinus12To1e12DoNotCostDigits) {
  const Index n = 120;
  const Matrix h = random_positive_definite(n, 10, 1);
  Vector scale(n);
  for (Index k = 0; k < n; ++k)
    scale[k] = std::pow(10.0, 12 - 24.0 * static_cast<double>(k) / (n - 1));
  const Matrix scaled = scale.asDiagonal() * h * scale.asDiagonal();
  const Cholesky cholesky(scaled);
  const Matrix wanted = Eigen::FullPivLU<Matrix>(h).inverse();
  const Matrix found = scale.asDiagonal() * cholesky.inverse() * scale.asDiagonal();
  const Vector diagonal = cholesky.inverse_diagonal().cwiseProduct(scale.cwiseAbs2());
  EXPECT_EQ(cholesky.jitter(), 0);
  EXPECT_LE(largest(found - wanted), 1e-10 * largest(wanted));
  EXPECT_LE(largest(diagonal - wanted.diagonal()), 1e-10 * largest(wanted));
  EXPECT_NEAR(cholesky.log_determinant(),
              Eigen::LDLT<Matrix>(h).vectorD().array().log().sum() + 2 * scale.array().log().sum(),
              1e-8);
}

TEST(Cholesky, TinyButTruePivotsAreNotJittered) {
  // Two columns that differ by 1e-6: the pivot, 1e-12, is far above rounding.
  const double c = 1 - 0.5e-12;
  const Cholesky cholesky(Matrix{{1, c}, {c, 1}});
  EXPECT_EQ(cholesky.jitter(), 0);
  EXPECT_NEAR(cholesky.inverse_diagonal()[0] * 1e-12, 1, 1e-3);
}

TEST(Cholesky, APivotThatIsRoundingAloneIsJitteredRatherThanInverted) {
  const double c = 1 - std::numeric_limits<double>::epsilon() / 2;
  const Cholesky cholesky(Matrix{{1, c}, {c, 1}});
  EXPECT_GT(cholesky.jitter(), 0);
  EXPECT_LT(cholesky.inverse_diagonal().maxCoeff(), 1e14);
}

TEST(Cholesky, WhatIsNotSemidefiniteIsAnErrorNotAWrongAnswer) {
  EXPECT_THROW(Cholesky(Matrix{{1, 2}, {2, 1}}), Error);
  EXPECT_THROW(Cholesky(Matrix{{0.0}}), Error);
  EXPECT_THROW(Cholesky(Matrix{{-1.0}}), Error);
  EXPECT_THROW(Cholesky(Matrix{{HUGE_VAL}}), Error);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Cholesky(Matrix{{nan}}), Error);
  EXPECT_THROW(Cholesky(Matrix{{1, 0}, {nan, 1}}), Error);
  Matrix late = Matrix::Identity(200, 200);
  late(199, 198) = nan;
  EXPECT_THROW(Cholesky{late}, Error);
}

TEST(Cholesky, WrongShapesAreRefused) {
  EXPECT_THROW(Cholesky(Matrix(2, 3)), InputError);
  const Cholesky cholesky(Matrix{{1, 0}, {0, 1}});
  EXPECT_THROW(cholesky.solve(Vector(3)), InputError);
  EXPECT_THROW(cholesky.solve(Matrix(3, 2)), InputError);
  EXPECT_THROW(cholesky.half_solve(Matrix(1, 2)), InputError);
}

TEST(Cholesky, SameBitsForAnyNumberOfThreads) {
  const Matrix h = random_positive_definite(333, 11);
  const Matrix b = random_matrix(333, 300, 12);
  std::vector<Matrix> results;
  for (const int count : {1, 2, 8}) {
    const ThreadScope scope(count);
    const Cholesky cholesky(h);
    Matrix all(333, 333 + 300 + 300 + 1);
    all << cholesky.inverse(), cholesky.solve(b), cholesky.half_solve(b),
        cholesky.inverse_diagonal();
    results.push_back(all);
  }
  EXPECT_TRUE(results[0] == results[1]);
  EXPECT_TRUE(results[0] == results[2]);
}

}  // namespace
}  // namespace ardent
