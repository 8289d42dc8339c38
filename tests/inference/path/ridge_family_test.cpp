// Every strength and fold of one factorisation against fits that are solved one by one.
#include "ardent/inference/path/ridge_family.h"

#include <gtest/gtest.h>

#include "ardent/design/dense.h"
#include "ardent/inference/path/path_posterior.h"
#include "ardent/inference/target_folds.h"
#include "problems/regression.h"

namespace ardent {
namespace {

struct NormalEquations {
  Vector w;
  double bias = 0;
};

/// The normal equations of the rows with these counts; no penalty on the bias.
NormalEquations solve(const Matrix& phi, const Vector& t, const Vector& counts, double alpha,
                      bool bias) {
  const Index m = phi.cols(), size = m + (bias ? 1 : 0);
  Matrix x(phi.rows(), size);
  x.leftCols(m) = phi;
  if (bias) x.col(m).setOnes();
  Matrix h = x.transpose() * counts.asDiagonal() * x;
  h.diagonal().head(m).array() += alpha;
  const Vector w = h.ldlt().solve(x.transpose() * counts.cwiseProduct(t));
  return {w.head(m), bias ? w[m] : 0};
}

struct RidgeShape {
  Index rows, columns;
  bool bias;
};

class RidgeFamilyTest : public ::testing::TestWithParam<RidgeShape> {
 protected:
  RidgeFamilyTest() {
    const auto [rows, columns, bias] = GetParam();
    const auto planted = problems::planted_regression(rows, columns, 3, 1, 7);
    Random random(11);
    Target target{Likelihood::gaussian, planted.t, Vector(rows)};
    for (Index i = 0; i < rows; ++i) target.weights[i] = static_cast<double>(i % 4);
    EngineOptions options;
    options.bias = bias;
    std::vector<std::string> warnings;
    standard_ = with_callers_columns(DenseDesign(planted.phi), target, options, warnings);
    phi_ = planted.phi;
  }

  const Vector& t() const { return standard_.problem.t; }
  const Vector& counts() const { return standard_.problem.row_weights; }

  StandardProblem standard_;
  Matrix phi_;
};

TEST_P(RidgeFamilyTest, WeightsAreThoseOfTheNormalEquations) {
  const RidgeFamily family(standard_.problem, GetParam().bias);
  for (const double alpha : {0.1, 3.0, 200.0}) {
    const NormalEquations plain = solve(phi_, t(), counts(), alpha, GetParam().bias);
    const RidgeFamily::Weights found = family.weights(alpha);
    EXPECT_LT((found.w - plain.w).norm(), 1e-10 * plain.w.norm());
    EXPECT_NEAR(found.bias, plain.bias, 1e-10);
  }
}

TEST_P(RidgeFamilyTest, HeldOutLossesAreThoseOfFitsWithoutTheRows) {
  const RidgeFamily family(standard_.problem, GetParam().bias);
  const auto folds = target_folds(Likelihood::gaussian, t(), 5, 1, counts());
  for (const double alpha : {0.1, 3.0, 200.0}) {
    const Vector losses = family.held_out_losses(alpha, folds);
    for (const Split& fold : folds) {
      Vector known = counts();
      for (const Index i : fold.test) known[i] = 0;
      const NormalEquations plain = solve(phi_, t(), known, alpha, GetParam().bias);
      for (const Index i : fold.test) {
        const double error = t()[i] - phi_.row(i) * plain.w - plain.bias;
        EXPECT_NEAR(losses[i], counts()[i] * error * error, 1e-8 * (1 + losses[i]));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, RidgeFamilyTest,
                         ::testing::Values(RidgeShape{40, 12, true}, RidgeShape{40, 12, false},
                                           RidgeShape{30, 70, true}, RidgeShape{30, 70, false}));

}  // namespace
}  // namespace ardent
