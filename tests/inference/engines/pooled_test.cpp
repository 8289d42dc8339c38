#include "ardent/inference/engines/pooled.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "ardent/base/error.h"
#include "ardent/design/dense.h"
#include "problems/classification.h"
#include "problems/regression.h"

namespace ardent {
namespace {

TEST(PooledPrecisions, PriorVarianceOfFIsOneOverTheStrengthWhateverThePower) {
  const Vector square_norms{{0.01, 1, 25, 400}};
  for (const double power : {0.0, 0.3, 0.5, 1.0}) {
    const Vector alpha = pooled_precisions(square_norms, {0.2, power});
    EXPECT_NEAR(alpha.cwiseInverse().sum(), 1 / 0.2, 1e-12) << power;
  }
  const Vector standard = pooled_precisions(square_norms, {0.2, 1});
  EXPECT_LT((standard.array() - 0.8).abs().maxCoeff(), 1e-12);  // ridge in standard units
}

TEST(PooledPrecisions, ZeroColumnsHaveNoShare) {
  const Vector with = pooled_precisions(Vector{{4, 0, 9}}, {1, 0.5});
  const Vector without = pooled_precisions(Vector{{4, 9}}, {1, 0.5});
  EXPECT_EQ(with[0], without[0]);
  EXPECT_EQ(with[2], without[1]);
}

TEST(PooledPrecisions, BadPriorsAreRefused) {
  for (const PooledPrior prior : {PooledPrior{0, 0.5}, PooledPrior{-1, 0.5}, PooledPrior{1, 1.5},
                                  PooledPrior{1, -0.1}, PooledPrior{NAN, 0}, PooledPrior{1, NAN}}) {
    EXPECT_THROW(pooled_precisions(Vector::Ones(2), prior), InputError);
  }
}

/// Newton's method on ½ alpha ‖w‖² − log-likelihood with an intercept, written out densely.
Vector dense_ridge(const Matrix& phi, const Vector& t, const Vector& alpha) {
  Matrix x(phi.rows(), phi.cols() + 1);
  x << phi, Vector::Ones(phi.rows());
  Vector penalty(alpha.size() + 1);
  penalty << alpha, 1e-8;
  Vector w = Vector::Zero(x.cols());
  for (int step = 0; step < 60; ++step) {
    const Vector y = (1 / (1 + (-(x * w).array()).exp())).matrix();
    const Vector gradient = x.transpose() * (y - t) + penalty.cwiseProduct(w);
    Matrix hessian = x.transpose() * (y.array() * (1 - y.array())).matrix().asDiagonal() * x;
    hessian.diagonal() += penalty;
    w -= hessian.ldlt().solve(gradient);
  }
  return w;
}

TEST(Pooled, PowerZeroIsRidgeLogisticRegressionInTheCallersUnits) {
  auto problem = problems::planted_classification(150, 8, 3, 2, 3);
  problem.phi.col(1) *= 30;
  problem.phi.col(4) /= 7;
  const Fit fit = fit_pooled(DenseDesign(problem.phi), {Likelihood::bernoulli, problem.t},
                             {.strength = 0.3, .power = 0}, {});
  ASSERT_EQ(fit.posterior.active.size(), 8u);
  const Vector& alpha = fit.posterior.alpha;
  EXPECT_LT((alpha.array() / alpha[0] - 1).abs().maxCoeff(), 1e-9);
  const Vector expected = dense_ridge(problem.phi, problem.t, alpha);
  EXPECT_LT((fit.posterior.mean - expected.head(8)).norm(), 1e-5 * expected.head(8).norm());
  EXPECT_NEAR(fit.posterior.bias, expected[8], 1e-5);
  EXPECT_EQ(fit.posterior.covariance.rows(), 9);
}

TEST(Pooled, GaussianMeanIsTheRidgeSolutionAtItsOwnNoise) {
  const auto problem = problems::planted_regression(80, 6, 2, 0.5, 5);
  const Fit fit = fit_pooled(DenseDesign(problem.phi), {Likelihood::gaussian, problem.t},
                             {.strength = 0.5, .power = 0.5}, {});
  const Posterior& posterior = fit.posterior;
  EXPECT_NEAR(posterior.noise_variance, 0.25, 0.1);
  Matrix x(80, 7);
  x << problem.phi, Vector::Ones(80);
  Matrix hessian = x.transpose() * x / posterior.noise_variance;
  hessian.diagonal().head(6) += posterior.alpha;
  const Vector expected =
      hessian.ldlt().solve(x.transpose() * problem.t / posterior.noise_variance);
  EXPECT_LT((posterior.mean - expected.head(6)).norm(), 1e-4 * expected.norm());
}

TEST(Pooled, CovarianceIsFormedOnlyWhereAsked) {
  const auto problem = problems::planted_classification(60, 5, 2, 1, 7);
  const Fit fit = fit_pooled(DenseDesign(problem.phi), {Likelihood::bernoulli, problem.t}, {},
                             {.covariance = false});
  EXPECT_EQ(fit.posterior.covariance.size(), 0);
  EXPECT_TRUE((fit.posterior.variance.array() > 0).all());
}

}  // namespace
}  // namespace ardent
