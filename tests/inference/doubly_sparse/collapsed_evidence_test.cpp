#include "ardent/inference/doubly_sparse/collapsed_evidence.h"

#include <gtest/gtest.h>

#include <cmath>

#include "enumerated_posterior.h"
#include "problems/random_matrix.h"

namespace ardent::doubly_sparse {
namespace {

struct Columns {
  Index rows = 11;
  Matrix k = problems::random_matrix(11, 6, 3);
  Vector omega = problems::random_vector(11, 4).cwiseAbs();
  Vector kappa = problems::random_vector(11, 5);
  Vector precision = problems::random_vector(6, 6).cwiseAbs().array() + 0.1;

  double direct(const std::vector<Index>& which) const {
    return brute_force::collapsed_evidence(k(Eigen::all, which), precision(which), omega, kappa);
  }
  CollapsedEvidence built(const std::vector<Index>& which) const {
    const Matrix a = k(Eigen::all, which);
    const Vector p = precision(which);
    return CollapsedEvidence(Matrix(p.asDiagonal()) + a.transpose() * omega.asDiagonal() * a,
                             a.transpose() * kappa, p);
  }
  ColumnProducts products(const std::vector<Index>& which, Index c) const {
    const Vector weighted = omega.cwiseProduct(k.col(c));
    return {k(Eigen::all, which).transpose() * weighted, k.col(c).dot(weighted),
            k.col(c).dot(kappa), precision[c]};
  }
};

TEST(CollapsedEvidence, EqualsTheIntegralInTheSpaceOfRows) {
  const Columns c;
  EXPECT_NEAR(c.built({0, 1, 2, 3, 4, 5}).value(), c.direct({0, 1, 2, 3, 4, 5}), 1e-12);
  EXPECT_NEAR(c.built({2}).value(), c.direct({2}), 1e-12);
  EXPECT_EQ(CollapsedEvidence(Matrix(0, 0), Vector(0), Vector(0)).value(), 0);
  EXPECT_EQ(CollapsedEvidence().value(), 0);
}

// Three columns, two of them alike: Q has the eigenvalue p, which rounding takes below 0 where p is
// small beside the others. With w₁ + w₂ in the place of the two, of precision p/2, Q is harmless.
TEST(CollapsedEvidence, ColumnsAlikeWithWidePriorsHaveAnEvidence) {
  Columns c;
  c.k.col(1) = c.k.col(0);
  c.omega *= 1e8;
  c.kappa *= 1e4;
  int indefinite = 0;
  for (const double p : {1.0, 1e-6, 1e-9, 1e-12, 1e-15}) {
    c.precision.setConstant(p);
    const Matrix a = c.k(Eigen::all, {0, 1, 2});
    const Matrix q = p * Matrix::Identity(3, 3) + a.transpose() * c.omega.asDiagonal() * a;
    indefinite += Eigen::LLT<Matrix>(q).info() == Eigen::Success ? 0 : 1;
    const CollapsedEvidence alike = c.built({0, 1, 2});
    const Matrix two = c.k(Eigen::all, {0, 2});
    const Vector precision = Eigen::Vector2d(p / 2, p);
    const CollapsedEvidence merged(
        Matrix(precision.asDiagonal()) + two.transpose() * c.omega.asDiagonal() * two,
        two.transpose() * c.kappa, precision);
    EXPECT_TRUE(std::isfinite(alike.value())) << p;
    if (p == 1) {
      EXPECT_NEAR(alike.value(), merged.value(), 1e-4);
    }
    EXPECT_TRUE(alike.mean().allFinite()) << p;
    Random random(1);
    EXPECT_TRUE(alike.draw(random).allFinite()) << p;
  }
  EXPECT_GT(indefinite, 0) << "the problem is no test";
}

TEST(CollapsedEvidence, AddingAndRemovingKeepTheFactorisationExact) {
  const Columns c;
  CollapsedEvidence evidence;
  std::vector<Index> which;
  const auto add = [&](Index column) {
    const ColumnProducts products = c.products(which, column);
    const double change = evidence.change_by_adding(products);
    const double before = c.direct(which);
    which.push_back(column);
    EXPECT_NEAR(change, c.direct(which) - before, 1e-10);
    evidence.add(products);
    EXPECT_NEAR(evidence.value(), c.direct(which), 1e-10);
  };
  const auto remove = [&](Index j) {
    const double change = evidence.change_by_removing(j);
    const double before = c.direct(which);
    which.erase(which.begin() + j);
    EXPECT_NEAR(change, c.direct(which) - before, 1e-10);
    evidence.remove(j);
    EXPECT_NEAR(evidence.value(), c.direct(which), 1e-10);
  };
  for (const Index column : {3, 1, 5, 0}) add(column);
  remove(1);
  remove(0);
  for (const Index column : {4, 2, 1}) add(column);
  remove(4);
  remove(2);
  EXPECT_LT((evidence.mean() - c.built(which).mean()).cwiseAbs().maxCoeff(), 1e-11);
  while (!which.empty()) remove(std::ssize(which) - 1);
  EXPECT_EQ(evidence.size(), 0);
}

TEST(CollapsedEvidence, MeanSolvesTheNormalEquations) {
  const Columns c;
  const std::vector<Index> all{0, 1, 2, 3, 4, 5};
  const Matrix q = Matrix(c.precision.asDiagonal()) + c.k.transpose() * c.omega.asDiagonal() * c.k;
  EXPECT_LT((q * c.built(all).mean() - c.k.transpose() * c.kappa).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(CollapsedEvidence, DrawsHaveThePosteriorsMoments) {
  const Columns c;
  const CollapsedEvidence evidence = c.built({0, 1, 4});
  const Matrix a = c.k(Eigen::all, std::vector<Index>{0, 1, 4});
  const Vector p = c.precision(std::vector<Index>{0, 1, 4});
  const Matrix q = Matrix(p.asDiagonal()) + a.transpose() * c.omega.asDiagonal() * a;
  const Matrix covariance = q.llt().solve(Matrix::Identity(3, 3));
  Random random(8);
  constexpr int kDraws = 20000;
  Vector mean = Vector::Zero(3);
  Matrix square = Matrix::Zero(3, 3);
  for (int d = 0; d < kDraws; ++d) {
    const Vector x = evidence.draw(random) - evidence.mean();
    mean += x / kDraws;
    square += x * x.transpose() / kDraws;
  }
  for (Index i = 0; i < 3; ++i) {
    EXPECT_NEAR(mean[i], 0, 4 * std::sqrt(covariance(i, i) / kDraws));
    for (Index j = 0; j < 3; ++j) {
      const double spread =
          covariance(i, i) * covariance(j, j) + covariance(i, j) * covariance(i, j);
      EXPECT_NEAR(square(i, j), covariance(i, j), 4 * std::sqrt(spread / kDraws));
    }
  }
}

// Two equal columns with a tiny precision: s is its precision and rounding of a huge cᵀΩc.
TEST(CollapsedEvidence, DuplicateColumnsStayFinite) {
  const Vector column = Vector::Constant(5, 1e4);
  const Vector omega = Vector::Constant(5, 1e4), kappa = Vector::Ones(5);
  CollapsedEvidence evidence;
  const double own = column.dot(omega.cwiseProduct(column)), target = column.dot(kappa);
  evidence.add({Vector(0), own, target, 1e-6});
  const ColumnProducts again{Vector::Constant(1, own), own, target, 1e-6};
  EXPECT_TRUE(std::isfinite(evidence.change_by_adding(again)));
  evidence.add(again);
  EXPECT_TRUE(std::isfinite(evidence.value()));
  EXPECT_TRUE(evidence.mean().allFinite());
}

}  // namespace
}  // namespace ardent::doubly_sparse
