#include "ardent/model/combine.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "problems/models.h"

namespace ardent {
namespace {

using problems::random_model;

Matrix random_pairs(Index k, std::uint64_t seed) {
  Random random(seed);
  Matrix r = Matrix::Zero(k, k);
  for (Index i = 0; i < k; ++i) {
    for (Index j = i + 1; j < k; ++j) {
      r(i, j) = random.uniform(0.02, 0.98);
      r(j, i) = 1 - r(i, j);
    }
  }
  return r;
}

double objective(const Matrix& r, const Vector& p) {
  double sum = 0;
  for (Index i = 0; i < p.size(); ++i) {
    for (Index j = 0; j < p.size(); ++j) {
      if (i == j) continue;
      const double difference = r(j, i) * p[i] - r(i, j) * p[j];
      sum += difference * difference;
    }
  }
  return sum;
}

/// The minimum over Σp = 1 from the objective itself: its Hessian by differences of a quadratic,
/// which are exact, then the stationarity equations.
Vector minimiser(const Matrix& r) {
  const Index k = r.rows();
  Matrix equations = Matrix::Zero(k + 1, k + 1);
  for (Index i = 0; i < k; ++i) {
    const Vector ei = Vector::Unit(k, i);
    for (Index j = 0; j < k; ++j) {
      const Vector ej = Vector::Unit(k, j);
      equations(i, j) = objective(r, ei + ej) - objective(r, ei) - objective(r, ej);
    }
    equations(i, k) = equations(k, i) = 1;
  }
  return equations.fullPivLu().solve(Vector::Unit(k + 1, k)).head(k);
}

TEST(CouplePairs, IsTheMinimumOfItsObjective) {
  for (const Index k : {3, 4, 7}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Matrix r = random_pairs(k, seed);
      const Vector expected = minimiser(r);
      const Vector p = couple_pairs(r);
      EXPECT_LT((p - expected).cwiseAbs().maxCoeff(), 1e-9) << k << " classes, seed " << seed;
      EXPECT_LT((couple_pairs(r, 0.005) - expected).cwiseAbs().maxCoeff(), 0.02);
      EXPECT_NEAR(couple_pairs(r).sum(), 1, 1e-12);
      EXPECT_GE(couple_pairs(r).minCoeff(), 0);
    }
  }
}

TEST(CouplePairs, RecoversProbabilitiesThatThePairsAgreeOn) {
  const Vector truth = (Vector(4) << 0.5, 0.3, 0.15, 0.05).finished();
  Matrix r(4, 4);
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < 4; ++j) r(i, j) = truth[i] / (truth[i] + truth[j]);
  }
  EXPECT_LT((couple_pairs(r, 1e-13) - truth).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(CouplePairs, CertainPairsStayFinite) {
  Matrix r = Matrix::Zero(3, 3);
  r(0, 1) = r(1, 2) = r(2, 0) = 1;  // a circle: each beats the next for certain
  const Vector circle = couple_pairs(r);
  EXPECT_LT((circle.array() - 1.0 / 3).abs().maxCoeff(), 1e-6);
  r = Matrix::Zero(3, 3);
  r(0, 1) = r(0, 2) = r(1, 2) = 1;
  const Vector chain = couple_pairs(r);
  EXPECT_TRUE(chain.allFinite());
  EXPECT_GT(chain[0], 0.95);
}

TEST(Combine, TwoClassesGetTheProbabilityAndItsComplement) {
  const Model model = random_model({.classes = 2});
  const Vector p = combine(model, Vector::Constant(1, 0.2));
  EXPECT_EQ(p[model.classes.positive], 0.2);
  EXPECT_EQ(p[1 - model.classes.positive], 0.8);
}

TEST(Combine, OneAgainstRestWithoutAnyProbabilityIsUniform) {
  const Model model = random_model({.classes = 4});
  EXPECT_EQ(combine(model, Vector::Zero(4)), Vector::Constant(4, 0.25));
  const Vector p = combine(model, (Vector(4) << 0.2, 0.2, 0.4, 0).finished());
  EXPECT_LT((p - (Vector(4) << 0.25, 0.25, 0.5, 0).finished()).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(Combine, PairsUseEachPartForItsTwoClasses) {
  const Model model = random_model({.classes = 3, .pairs = true});  // parts 0-1, 0-2, 1-2
  const Vector p = combine(model, (Vector(3) << 0.9, 0.6, 0.3).finished());
  Matrix r(3, 3);
  r << 0, 0.9, 0.6, 0.1, 0, 0.3, 0.4, 0.7, 0;
  EXPECT_LT((p - couple_pairs(r)).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(Combine, ManyRowsAreCombinedOneByOne) {
  const Model model = random_model({.classes = 4});
  const auto parts = std::ssize(model.parts);
  const Matrix p = Matrix::Random(2500, parts).array() / 2 + 0.5;
  const Matrix combined = combine_rows(model, p);
  ASSERT_EQ(combined.cols(), 4);
  for (const Index i : {Index{0}, Index{1023}, Index{1024}, Index{2499}}) {
    EXPECT_EQ(Vector(combined.row(i)), combine(model, p.row(i).transpose()));
  }
}

}  // namespace
}  // namespace ardent
