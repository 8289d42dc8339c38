// The primal and the dual space against dense algebra and against each other.
#include "ardent/inference/evidence/weight_space.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "ardent/design/dense.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/inference/evidence/dual_space.h"
#include "ardent/inference/evidence/mode.h"
#include "ardent/inference/evidence/primal_space.h"
#include "problems/classification.h"

namespace ardent {
namespace {

Prior random_prior(Index cols, bool bias, std::uint64_t seed) {
  Random random(seed);
  Prior prior{Vector(cols), bias, 1e-8};
  for (Index k = 0; k < cols; ++k) prior.alpha[k] = std::exp(random.uniform(-4, 4));
  return prior;
}

/// [Phi 1] and diag(alpha, τ), to which everything reduces.
Matrix augmented(const Matrix& phi, bool bias) {
  Matrix result = phi;
  if (bias) {
    result.conservativeResize(phi.rows(), phi.cols() + 1);
    result.col(phi.cols()).setOnes();
  }
  return result;
}

Vector augmented(const Prior& prior) {
  Vector result = prior.alpha;
  if (prior.bias) {
    result.conservativeResize(result.size() + 1);
    result[result.size() - 1] = prior.bias_precision;
  }
  return result;
}

double objective(const Matrix& x, const Vector& t, const Vector& precision, const Vector& v) {
  return -bernoulli::log_likelihood(t, x * v) + 0.5 * v.dot(precision.cwiseProduct(v));
}

TEST(WeightSpace, GradientAndHessianMatchFiniteDifferencesOfTheObjective) {
  const auto problem = problems::planted_classification(30, 4, 2, 1.0, 1);
  const DenseDesign phi(problem.phi);
  const Prior prior = random_prior(4, true, 2);
  const Matrix x = augmented(problem.phi, true);
  const Vector precision = augmented(prior);
  const Vector v = (Vector(5) << 0.3, -0.8, 0.1, 0.5, -0.2).finished();
  Vector residual, beta;
  bernoulli::derivatives(problem.t, x * v, residual, beta);
  const Vector ascent = bordered_ascent(phi, residual, v.head(4), v[4], prior);
  const Matrix hessian = bordered_hessian(phi, beta, prior);
  const double step = 1e-5;
  for (Index k = 0; k < 5; ++k) {
    Vector up = v, down = v;
    up[k] += step;
    down[k] -= step;
    const double slope =
        (objective(x, problem.t, precision, up) - objective(x, problem.t, precision, down)) /
        (2 * step);
    EXPECT_NEAR(-ascent[k], slope, 1e-6 * std::max(1.0, std::abs(slope)));
    Vector residual_up, residual_down, ignored;
    bernoulli::derivatives(problem.t, x * up, residual_up, ignored);
    bernoulli::derivatives(problem.t, x * down, residual_down, ignored);
    const Vector column = (bordered_ascent(phi, residual_down, down.head(4), down[4], prior) -
                           bordered_ascent(phi, residual_up, up.head(4), up[4], prior)) /
                          (2 * step);
    EXPECT_LT((hessian.col(k) - column).norm(), 1e-6 * hessian.col(k).norm());
  }
}

/// Step, relevance, determinant and covariance of a space against dense algebra.
void expect_dense_algebra(WeightSpace& space, const problems::Classification& problem,
                          const Prior& prior) {
  const Index m = prior.alpha.size();
  const Matrix x = augmented(problem.phi, prior.bias);
  const Vector precision = augmented(prior);
  const Predictor at = space.constant(prior.bias ? 0.4 : 0.0);
  Vector residual, beta;
  bernoulli::derivatives(problem.t, at.fitted, residual, beta);
  space.factor(beta);

  Vector v = Vector::Zero(precision.size());
  if (prior.bias) v[m] = 0.4;
  Matrix hessian = x.transpose() * beta.asDiagonal() * x;
  hessian += precision.asDiagonal();
  const Matrix inverse = hessian.fullPivLu().inverse();
  const Vector wanted = inverse * (x.transpose() * residual - precision.cwiseProduct(v));

  const Predictor step = space.newton_step(residual, at);
  const Vector w = space.weights(step);
  EXPECT_LT((w - wanted.head(m)).norm(), 1e-8 * wanted.norm());
  if (prior.bias) {
    EXPECT_NEAR(step.bias, wanted[m], 1e-8 * std::abs(wanted[m]));
  }
  EXPECT_LT((step.fitted - x * wanted).norm(), 1e-8 * (x * wanted).norm());
  EXPECT_NEAR(space.inner(step, step), wanted.dot(precision.cwiseProduct(wanted)),
              1e-8 * wanted.squaredNorm());

  const Relevance relevance = space.relevance();
  for (Index k = 0; k < m; ++k) {
    EXPECT_NEAR(relevance.gamma[k], 1 - prior.alpha[k] * inverse(k, k), 1e-9);
  }
  if (prior.bias) {
    EXPECT_NEAR(relevance.bias_gamma, 1 - prior.bias_precision * inverse(m, m), 1e-9);
  }
  const double ratio = hessian.fullPivLu().matrixLU().diagonal().array().abs().log().sum() -
                       precision.array().log().sum();
  EXPECT_NEAR(space.log_determinant_ratio(), ratio, 1e-8 * ratio);
  EXPECT_LT((space.covariance() - inverse).norm(), 1e-8 * inverse.norm());
}

class WeightSpaceShapes : public testing::TestWithParam<std::tuple<Index, bool>> {};

TEST_P(WeightSpaceShapes, PrimalMatchesDenseAlgebra) {
  const auto [cols, bias] = GetParam();
  const auto problem = problems::planted_classification(40, cols, 3, 1.0, 3);
  const DenseDesign phi(problem.phi);
  const Prior prior = random_prior(cols, bias, 4);
  PrimalSpace space(phi, prior);
  expect_dense_algebra(space, problem, prior);
}

TEST_P(WeightSpaceShapes, DualMatchesDenseAlgebra) {
  const auto [cols, bias] = GetParam();
  const auto problem = problems::planted_classification(40, cols, 3, 1.0, 5);
  const DenseDesign phi(problem.phi);
  const Prior prior = random_prior(cols, bias, 6);
  DualSpace space(phi, prior);
  expect_dense_algebra(space, problem, prior);
}

TEST_P(WeightSpaceShapes, PrimalAndDualFindTheSameMode) {
  const auto [cols, bias] = GetParam();
  const auto problem = problems::planted_classification(40, cols, 3, 1.5, 7);
  const DenseDesign phi(problem.phi);
  const Prior prior = random_prior(cols, bias, 8);
  PrimalSpace primal(phi, prior);
  DualSpace dual(phi, prior);
  const Mode one = bernoulli_mode(primal, problem.t, primal.constant(0), 1e-14, 50);
  const Mode other = bernoulli_mode(dual, problem.t, dual.constant(0), 1e-14, 50);
  const Vector w = primal.weights(one.predictor);
  EXPECT_LT((w - dual.weights(other.predictor)).norm(), 1e-8 * w.norm());
  EXPECT_NEAR(one.predictor.bias, other.predictor.bias, 1e-8);
  EXPECT_NEAR(one.log_likelihood, other.log_likelihood, 1e-8);
  EXPECT_NEAR(one.penalty, other.penalty, 1e-8);
  EXPECT_NEAR(primal.log_determinant_ratio(), dual.log_determinant_ratio(), 1e-8);
  EXPECT_LT((primal.relevance().gamma - dual.relevance().gamma).cwiseAbs().maxCoeff(), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(AroundSquare, WeightSpaceShapes,
                         testing::Combine(testing::Values<Index>(5, 39, 40, 41, 90),
                                          testing::Bool()));

TEST(WeightSpace, DualSurvivesRowWeightsThatVanish) {
  const auto problem = problems::planted_classification(10, 30, 3, 1.0, 9);
  const DenseDesign phi(problem.phi);
  const Prior prior = random_prior(30, true, 10);
  DualSpace space(phi, prior);
  Vector beta = Vector::Constant(10, 0.25);
  beta.head(9).setZero();
  space.factor(beta);
  EXPECT_TRUE(space.relevance().gamma.allFinite());
  EXPECT_LE(space.relevance().gamma.sum(), 1);  // one row can fix one degree of freedom
  beta.setZero();
  space.factor(beta);
  EXPECT_EQ(space.relevance().gamma.sum(), 0);
}

}  // namespace
}  // namespace ardent
