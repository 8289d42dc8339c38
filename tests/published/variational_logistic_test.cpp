#include "ardent/published/variational_logistic.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>

#include "ardent/base/error.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "problems/classification.h"

namespace ardent::doubly_sparse {
namespace {

Vector starting_rho(Index n, std::uint64_t seed) {
  Random random(seed);
  Vector rho(n);
  for (Index i = 0; i < n; ++i) rho[i] = random.uniform();
  return rho;
}

/// log of Jaakkola and Jordan's lower bound of the likelihood at f.
double bounded_log_likelihood(const Vector& f, const Vector& t, const Vector& rho) {
  double sum = 0;
  for (Index i = 0; i < f.size(); ++i) {
    const double s = 2 * t[i] - 1;
    const double lambda = std::tanh(rho[i] / 2) / (4 * rho[i]);
    sum += -std::log1p(std::exp(-rho[i])) + (s * f[i] - rho[i]) / 2 -
           lambda * (f[i] * f[i] - rho[i] * rho[i]);
  }
  return sum;
}

/// ∫ exp(g(α)) N(α | 0, diag 1/precision) dα over two weights on a grid: the trapezoidal rule is
/// exact to rounding for such smooth, decaying integrands.
template <class LogLikelihood>
double log_integral(const Vector& precision, LogLikelihood&& g) {
  constexpr int kHalf = 300;
  const double spread0 = 10 / std::sqrt(precision[0]), spread1 = 10 / std::sqrt(precision[1]);
  double sum = 0;
  for (int i = -kHalf; i <= kHalf; ++i) {
    for (int j = -kHalf; j <= kHalf; ++j) {
      const Eigen::Vector2d alpha(spread0 * i / kHalf, spread1 * j / kHalf);
      const double prior =
          -0.5 * (precision[0] * alpha[0] * alpha[0] + precision[1] * alpha[1] * alpha[1]) +
          0.5 * std::log(precision[0] * precision[1]) - std::log(2 * std::numbers::pi);
      sum += std::exp(g(alpha) + prior);
    }
  }
  return std::log(sum * spread0 * spread1 / (kHalf * kHalf));
}

struct TwoWeights {
  problems::Classification problem = problems::planted_classification(12, 2, 2, 1.5, 4);
  Vector precision = Eigen::Vector2d(1.3, 0.6);
  Vector rho = starting_rho(12, 2).array() + 0.1;
};

TEST(VariationalLogistic, BoundEqualsQuadrature) {
  const TwoWeights s;
  const auto fit = variational_logistic(s.problem.phi, s.problem.t, s.precision, s.rho, 3);
  // The bound of step k is at the ρ that step k − 1 left behind.
  Vector rho = s.rho;
  for (Index step = 0; step < 3; ++step) {
    const double exact = log_integral(s.precision, [&](const Eigen::Vector2d& alpha) {
      return bounded_log_likelihood(s.problem.phi * alpha, s.problem.t, rho);
    });
    EXPECT_NEAR(fit.bounds[step], exact, 1e-8) << "step " << step;
    rho = variational_logistic(s.problem.phi, s.problem.t, s.precision, rho, 1).rho;
  }
}

TEST(VariationalLogistic, BoundRisesTowardsTheEvidenceAndStaysBelow) {
  const TwoWeights s;
  const auto fit = variational_logistic(s.problem.phi, s.problem.t, s.precision, s.rho, 60);
  for (Index k = 1; k < 60; ++k) EXPECT_GE(fit.bounds[k], fit.bounds[k - 1] - 1e-12);
  EXPECT_GT(fit.bounds[59], fit.bounds[0] + 0.01);
  const double evidence = log_integral(s.precision, [&](const Eigen::Vector2d& alpha) {
    return bernoulli::log_likelihood(s.problem.t, s.problem.phi * alpha);
  });
  EXPECT_LT(fit.bound(), evidence);
}

TEST(VariationalLogistic, FixedPointSatisfiesTheMStep) {
  const TwoWeights s;
  const auto fit = variational_logistic(s.problem.phi, s.problem.t, s.precision, s.rho, 400);
  const Matrix lambda = fit.lambda.asDiagonal();
  const Matrix inverse =
      Matrix(s.precision.asDiagonal()) + 2 * s.problem.phi.transpose() * lambda * s.problem.phi;
  const Matrix second =
      inverse.llt().solve(Matrix::Identity(2, 2)) + fit.mean * fit.mean.transpose();
  for (Index i = 0; i < 12; ++i) {
    const Vector k = s.problem.phi.row(i);
    EXPECT_NEAR(fit.rho[i] * fit.rho[i], k.dot(second * k), 1e-10);
  }
}

TEST(VariationalLogistic, StepsContinueWhereTheyStopped) {
  const TwoWeights s;
  const auto all = variational_logistic(s.problem.phi, s.problem.t, s.precision, s.rho, 6);
  const auto half = variational_logistic(s.problem.phi, s.problem.t, s.precision, s.rho, 3);
  const auto rest = variational_logistic(s.problem.phi, s.problem.t, s.precision, half.rho, 3);
  EXPECT_EQ(all.bounds.tail(3), rest.bounds);
  EXPECT_EQ(all.mean, rest.mean);
}

TEST(VariationalLogistic, DrawsHaveThePosteriorsMoments) {
  const TwoWeights s;
  const auto fit = variational_logistic(s.problem.phi, s.problem.t, s.precision, s.rho, 5);
  const Matrix inverse = Matrix(s.precision.asDiagonal()) +
                         2 * s.problem.phi.transpose() * fit.lambda.asDiagonal() * s.problem.phi;
  const Matrix covariance = inverse.llt().solve(Matrix::Identity(2, 2));
  Random random(1);
  constexpr int kDraws = 20000;
  Vector mean = Vector::Zero(2);
  Matrix square = Matrix::Zero(2, 2);
  for (int d = 0; d < kDraws; ++d) {
    const Vector alpha = draw_weights(fit, s.problem.phi, s.precision, random) - fit.mean;
    mean += alpha / kDraws;
    square += alpha * alpha.transpose() / kDraws;
  }
  for (Index j = 0; j < 2; ++j) {
    EXPECT_NEAR(mean[j], 0, 4 * std::sqrt(covariance(j, j) / kDraws));
    for (Index k = 0; k < 2; ++k) {
      const double sd = std::sqrt(
          (covariance(j, j) * covariance(k, k) + covariance(j, k) * covariance(j, k)) / kDraws);
      EXPECT_NEAR(square(j, k), covariance(j, k), 4 * sd);
    }
  }
}

TEST(VariationalLogistic, LambdaIsContinuousAtZero) {
  EXPECT_EQ(jaakkola_lambda(0), 0.125);
  EXPECT_NEAR(jaakkola_lambda(0.9e-4), jaakkola_lambda(1.1e-4), 1e-9);
  EXPECT_EQ(jaakkola_lambda(-3), jaakkola_lambda(3));
}

TEST(VariationalLogistic, WithoutColumnsTheEvidenceIsExact) {
  const Vector t = Eigen::Vector3d(1, 0, 1);
  const auto fit =
      variational_logistic(Matrix(3, 0), t, Vector(0), Eigen::Vector3d(0.2, 0.5, 0.9), 2);
  EXPECT_NEAR(fit.bound(), -3 * std::numbers::ln2, 1e-15);
  Random random(1);
  EXPECT_EQ(draw_weights(fit, Matrix(3, 0), Vector(0), random).size(), 0);
}

TEST(VariationalLogistic, ShapesThatDisagreeAreRefused) {
  const TwoWeights s;
  EXPECT_THROW(variational_logistic(s.problem.phi, s.problem.t.head(3), s.precision, s.rho, 1),
               InputError);
  EXPECT_THROW(variational_logistic(s.problem.phi, s.problem.t, s.precision.head(1), s.rho, 1),
               InputError);
  EXPECT_THROW(variational_logistic(s.problem.phi, s.problem.t, s.precision, s.rho, 0), InputError);
}

}  // namespace
}  // namespace ardent::doubly_sparse
