#include "ardent/inference/path/lockstep_ridge.h"

#include <gtest/gtest.h>

#include "ardent/base/parallel.h"
#include "ardent/design/dense.h"
#include "ardent/design/sparse.h"
#include "problems/regression.h"
#include "tests/inference/path/dense_ridge.h"
#include "tests/problems/random_matrix.h"

namespace ardent {
namespace {

constexpr RidgePrecision kTight{.tolerance = 1e-10, .forcing = 1e-3};

/// Two folds and all rows, of which one counts twice.
RowMatrix three_lanes(Index rows) {
  RowMatrix weights = RowMatrix::Ones(rows, 3);
  for (Index i = 0; i < rows; ++i) {
    if (i % 2 < 2) weights(i, i % 2) = 0;
  }
  weights(3, 2) = 2;
  return weights;
}

TEST(LockstepRidge, EveryLaneIsTheDenseSolution) {
  const auto problem = problems::planted_classification(60, 25, 5, 1.5, 1);
  const RowMatrix weights = three_lanes(60);
  for (const bool bias : {true, false}) {
    const DenseDesign design(problem.phi);
    LockstepRidge ridge(design, problem.t, weights, bias, 1e-12);
    for (const double alpha : {30.0, 1.0, 0.01}) {  // each from the one before
      EXPECT_LT(ridge.minimise(alpha, kTight), 50);
      const RowMatrix w = ridge.weights();
      for (Index l = 0; l < 3; ++l) {
        const auto wanted = dense_ridge::solve(problem.phi, problem.t, weights.col(l), alpha, bias);
        const Vector found = w.col(l), f = ridge.point().f.col(l);
        EXPECT_LT((found - wanted.w).norm(), 1e-7 * wanted.w.norm()) << alpha << " lane " << l;
        EXPECT_NEAR(ridge.point().b[l], wanted.bias, 1e-7);
        const Vector fitted = (problem.phi * wanted.w).array() + wanted.bias;
        EXPECT_LT((f - fitted).cwiseAbs().maxCoeff(), 1e-7 * (1 + fitted.cwiseAbs().maxCoeff()))
            << "held-out rows included";
      }
    }
  }
}

TEST(LockstepRidge, SparseColumnsThatARowLacksAreNoMatter) {
  const Matrix phi = problems::random_matrix(80, 300, 3, 0.03);
  const auto labels = problems::planted_classification(80, 3, 1, 1.0, 2);
  const SparseDesign design(problems::sparse_rows(phi));
  LockstepRidge ridge(design, labels.t, RowMatrix::Ones(80, 1), true, 1e-12);
  ridge.minimise(0.5, kTight);
  const auto wanted = dense_ridge::solve(phi, labels.t, Vector::Ones(80), 0.5);
  EXPECT_LT((Vector(ridge.weights()) - wanted.w).norm(), 1e-6 * wanted.w.norm());
}

TEST(LockstepRidge, LooseIsNearAndTakesFewerProducts) {
  const auto problem = problems::planted_classification(300, 60, 60, 0.5, 4);
  const DenseDesign design(problem.phi);
  LockstepRidge loose(design, problem.t, RowMatrix::Ones(300, 1), true, 1e-8), tight = loose;
  loose.minimise(1, {.tolerance = 1e-3});
  tight.minimise(1, kTight);
  const double off = (loose.point().f - tight.point().f).cwiseAbs().maxCoeff();
  EXPECT_GT(off, 0);
  EXPECT_LT(off, 0.01 * tight.point().f.cwiseAbs().maxCoeff());
  EXPECT_LT(2 * loose.products(), tight.products());
}

TEST(LockstepRidge, EveryStartEndsInTheSamePointToItsLastDigits) {
  // More columns than rows, which a plane separates: L is all but flat.
  const Matrix phi = problems::random_matrix(200, 1500, 9, 0.05);
  const Vector t =
      (phi.col(0) + phi.col(1) + phi.col(2)).unaryExpr([](double x) { return x > 0 ? 1.0 : 0.0; });
  const SparseDesign design(problems::sparse_rows(phi));
  constexpr RidgePrecision kLast{.tolerance = 1e-13, .forcing = 1e-2, .least_forcing = 1e-5};
  for (const double alpha : {10.0, 1e-2, 1e-4}) {
    std::vector<Vector> found;
    for (const double before : {1e3, 1e-1}) {
      LockstepRidge ridge(design, t, RowMatrix::Ones(200, 1), true, 1e-8);
      ridge.minimise(before, {});
      EXPECT_LT(ridge.minimise(alpha, kLast), 30) << "it ends where rounding ends it";
      found.push_back(ridge.point().f.col(0));
    }
    const Vector off = (found[0] - found[1]).cwiseAbs(), size = found[0].cwiseAbs();
    EXPECT_LT(off.maxCoeff(), 1e-11 * size.maxCoeff()) << alpha;
  }
}

TEST(LockstepRidge, SameBitsForAnyNumberOfThreads) {
  const Matrix phi = problems::random_matrix(5000, 200, 5, 0.05);
  const auto labels = problems::planted_classification(5000, 3, 1, 1.0, 6);
  std::vector<RowMatrix> found;
  for (const int count : {1, 4}) {
    const ThreadScope scope(count);
    const SparseDesign design(problems::sparse_rows(phi));
    LockstepRidge ridge(design, labels.t, three_lanes(5000), true, 1e-8);
    ridge.minimise(1, {});
    found.push_back(ridge.point().f);
  }
  EXPECT_TRUE(found[0] == found[1]);
}

}  // namespace
}  // namespace ardent
