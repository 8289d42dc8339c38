// The exact engine on problems whose answer is known.
#include "ardent/inference/engines/exact.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "ardent/design/dense.h"
#include "ardent/inference/evidence/precision_update.h"
#include "inference/evidence_engines.h"
#include "inference/fit_dense.h"
#include "problems/classification.h"
#include "problems/random_matrix.h"
#include "problems/regression.h"

namespace ardent {
namespace {

using evidence_engines::predict;

TEST(Exact, FindsThePlantedWeightsOfAClassifier) {
  const auto problem = problems::planted_classification(2000, 40, 4, 2.0, 1);
  const Fit fit = exact_classify(problem.phi, problem.t);
  EXPECT_EQ(fit.report.status, Status::converged);
  ASSERT_GE(fit.posterior.active.size(), 4u);
  EXPECT_LE(fit.posterior.active.size(), 12u);
  for (Index k = 0; k < 4; ++k) {
    EXPECT_EQ(fit.posterior.active[k], k);
    EXPECT_NEAR(fit.posterior.mean[k], problem.w[k], 4 * std::sqrt(fit.posterior.variance[k]));
    EXPECT_GT(fit.posterior.gamma[k], 0.9);
  }
  EXPECT_NEAR(fit.posterior.bias, problem.bias, 4 * std::sqrt(fit.posterior.variance.tail(1)[0]));
}

TEST(Exact, FindsThePlantedWeightsAndNoiseOfARegression) {
  const auto problem = problems::planted_regression(500, 30, 5, 0.5, 2);
  const Fit fit = exact_regress(problem.phi, problem.t);
  EXPECT_EQ(fit.report.status, Status::converged);
  ASSERT_GE(fit.posterior.active.size(), 5u);
  for (Index k = 0; k < 5; ++k) {
    EXPECT_EQ(fit.posterior.active[k], k);
    EXPECT_NEAR(fit.posterior.mean[k], problem.w[k], 4 * std::sqrt(fit.posterior.variance[k]));
  }
  EXPECT_NEAR(fit.posterior.noise_variance, 0.25, 0.05);
  EXPECT_NEAR(fit.posterior.bias, 2, 0.1);
}

/// Σ, γ and alpha of a posterior belong together, and the mean is at a fixed point of the update.
void expect_consistent(const Posterior& posterior, double tolerance) {
  const auto m = std::ssize(posterior.active);
  const Index size = m + (posterior.has_bias ? 1 : 0);
  ASSERT_EQ(posterior.covariance.rows(), size);
  EXPECT_EQ(posterior.covariance, Matrix(posterior.covariance.transpose()));
  EXPECT_EQ(posterior.variance, Vector(posterior.covariance.diagonal()));
  for (Index k = 0; k < m; ++k) {
    const double gamma = 1 - posterior.alpha[k] * posterior.covariance(k, k);
    EXPECT_NEAR(posterior.gamma[k], gamma, 1e-9);
    EXPECT_NEAR(std::log(gamma / (posterior.alpha[k] * std::pow(posterior.mean[k], 2))), 0,
                tolerance);
  }
}

TEST(Exact, ConvergedPrecisionsAreAFixedPointOfMacKaysUpdate) {
  const auto classification = problems::planted_classification(300, 15, 4, 1.5, 3);
  const auto regression = problems::planted_regression(200, 15, 4, 0.5, 4);
  for (const bool accelerate : {true, false}) {
    const EngineOptions options{.tolerance = 1e-6, .max_stages = 20000, .accelerate = accelerate};
    const Fit one = exact_classify(classification.phi, classification.t, options);
    EXPECT_EQ(one.report.status, Status::converged);
    expect_consistent(one.posterior, 1e-5);
    const Fit other = exact_regress(regression.phi, regression.t, options);
    EXPECT_EQ(other.report.status, Status::converged);
    expect_consistent(other.posterior, 1e-5);
    // The noise is at its own fixed point, σ²(N − Σγ − 1 + ν) = ‖t − Phi w − b‖² + ν var(t), with
    // ν = 1e-6 of its prior.
    const double free = 200 - other.posterior.gamma.sum() - 1;
    const double squares = (regression.t - predict(regression.phi, other.posterior)).squaredNorm();
    const double variance = (regression.t.array() - regression.t.mean()).square().mean();
    EXPECT_NEAR(other.posterior.noise_variance * (free + 1e-6) / (squares + 1e-6 * variance), 1,
                1e-5);
  }
}

TEST(Exact, AccelerationReachesTheSameFixedPointInFewerStages) {
  const auto problem = problems::planted_classification(300, 30, 4, 1.5, 5);
  const Fit fast = exact_classify(problem.phi, problem.t, {.tolerance = 1e-5});
  const Fit plain = exact_classify(problem.phi, problem.t,
                                   {.tolerance = 1e-5, .max_stages = 50000, .accelerate = false});
  EXPECT_EQ(fast.report.status, Status::converged);
  EXPECT_EQ(plain.report.status, Status::converged);
  EXPECT_EQ(fast.posterior.active, plain.posterior.active);
  EXPECT_LT(2 * fast.report.stages.size(), plain.report.stages.size());
  EXPECT_LT((fast.posterior.mean - plain.posterior.mean).norm(), 1e-3);
  EXPECT_NEAR(fast.posterior.log_evidence, plain.posterior.log_evidence, 1e-4);
}

TEST(Exact, ObjectiveNeverFallsOnGaussianProblems) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Index cols = seed % 2 == 0 ? 20 : 120;  // the second kind starts in the dual space
    const auto problem = problems::planted_regression(80, cols, 5, 0.7, 10 + seed);
    for (const bool accelerate : {true, false}) {
      const Fit fit = exact_regress(problem.phi, problem.t, {.accelerate = accelerate});
      const auto& stages = fit.report.stages;
      ASSERT_GE(stages.size(), 3u);
      for (std::size_t s = 1; s < stages.size(); ++s) {
        const double pruned = static_cast<double>(stages[s - 1].active - stages[s].active);
        EXPECT_GE(stages[s].objective, stages[s - 1].objective - 1e-6 * (1 + pruned));
      }
      EXPECT_EQ(stages.back().log_evidence, fit.posterior.log_evidence);
      EXPECT_EQ(stages.back().active, std::ssize(fit.posterior.active));
    }
  }
}

TEST(Exact, EvidenceFallsByLessThanAStagesAllowanceOnBernoulliProblems) {
  const auto problem = problems::kernel_classification(150, 1.0, 20);
  for (const bool accelerate : {true, false}) {
    const Fit fit = exact_classify(problem.phi, problem.t, {.accelerate = accelerate});
    for (std::size_t s = 1; s < fit.report.stages.size(); ++s) {
      EXPECT_GE(fit.report.stages[s].log_evidence, fit.report.stages[s - 1].log_evidence - 0.11);
    }
    EXPECT_GT(fit.posterior.log_evidence, fit.report.stages.front().log_evidence);
  }
}

/// One column of unit RMS, no bias, known noise at the fixed point: the best precision is
/// s²/(q² − s) with s = φᵀφ/σ², q = φᵀt/σ² if q² > s, else infinite (Tipping and Faul 2003).
TEST(Exact, OneColumnHasItsClosedFormPrecision) {
  const auto problem = problems::planted_regression(100, 1, 1, 1.0, 6, 0);
  const Fit fit = exact_regress(problem.phi, problem.t, {.bias = false, .tolerance = 1e-9});
  ASSERT_EQ(fit.posterior.active.size(), 1u);
  const double noise = fit.posterior.noise_variance;
  const double s = problem.phi.col(0).squaredNorm() / noise;
  const double q = problem.phi.col(0).dot(problem.t) / noise;
  ASSERT_GT(q * q, s);
  EXPECT_NEAR(fit.posterior.alpha[0] / (s * s / (q * q - s)), 1, 1e-6);
}

TEST(Exact, AColumnThatExplainsLessThanNoiseIsPruned) {
  // The second column is orthogonal to the target and to the first: q = 0, so its precision is ∞.
  Matrix phi(64, 2);
  Vector t(64);
  Random random(7);
  for (Index i = 0; i < 64; ++i) {
    phi(i, 0) = i % 2 == 0 ? 1 : -1;
    phi(i, 1) = i % 4 < 2 ? 1 : -1;
    t[i] = phi(i, 0) + 0.3 * random.normal();
  }
  t -= phi.col(1) * (phi.col(1).dot(t) / 64);
  const Fit fit = exact_regress(phi, t);
  EXPECT_EQ(fit.posterior.active, std::vector<Index>{0});
}

TEST(Exact, OrthogonalColumnsHaveClosedForms) {
  // Walsh functions: PhiᵀPhi = N I, so that weights do not interact.
  const Index n = 64, m = 5;
  Matrix phi(n, m);
  for (Index k = 0; k < m; ++k) {
    for (Index i = 0; i < n; ++i) phi(i, k) = (i >> k) % 2 == 0 ? 1 : -1;
  }
  Random random(8);
  Vector t = phi.col(0) + 2 * phi.col(1) + 0.5 * phi.col(2);
  for (Index i = 0; i < n; ++i) t[i] += 0.8 * random.normal();
  const Fit fit = exact_regress(phi, t, {.tolerance = 1e-9});
  const double noise = fit.posterior.noise_variance;
  const Vector projection = phi.transpose() * t / static_cast<double>(n);  // least squares
  for (std::size_t k = 0; k < fit.posterior.active.size(); ++k) {
    const double ls = projection[fit.posterior.active[k]];
    const double s = static_cast<double>(n) / noise, q = s * ls;
    const auto kk = static_cast<Index>(k);
    EXPECT_NEAR(fit.posterior.alpha[kk] / (s * s / (q * q - s)), 1, 1e-5);
    EXPECT_NEAR(fit.posterior.mean[kk], ls * s / (s + fit.posterior.alpha[kk]), 1e-9);
    EXPECT_NEAR(fit.posterior.variance[kk], 1 / (s + fit.posterior.alpha[kk]), 1e-9);
  }
  for (Index k = 0; k < m; ++k) {
    const bool kept = std::count(fit.posterior.active.begin(), fit.posterior.active.end(), k) > 0;
    EXPECT_EQ(kept, std::pow(projection[k], 2) > noise / static_cast<double>(n));
  }
}

TEST(Exact, GaussianEvidenceIsTheDensityOfTheTargetInItsOwnUnits) {
  const auto problem = problems::planted_regression(40, 6, 3, 0.5, 9);
  const Vector t = 1000 * problem.t;
  const Fit fit = exact_regress(problem.phi, t, {.bias_precision = 1e-4});
  const Posterior& posterior = fit.posterior;
  // The bias prior is centred at the mean of t and scaled with its standard deviation.
  const Vector centred = t.array() - t.mean();
  const double variance = centred.squaredNorm() / 40;
  const Matrix active = problem.phi(Eigen::all, posterior.active);
  Matrix c = active * posterior.alpha.cwiseInverse().asDiagonal() * active.transpose();
  c.diagonal().array() += posterior.noise_variance;
  c.array() += variance / 1e-4;
  const Eigen::LLT<Matrix> factor(c);
  const Matrix l = factor.matrixL();
  const double wanted =
      -0.5 * (40 * std::log(2 * std::numbers::pi) + 2 * l.diagonal().array().log().sum() +
              centred.dot(factor.solve(centred)));
  EXPECT_NEAR(posterior.log_evidence, wanted, 1e-6);
}

TEST(Exact, RegressionIsEquivariantToTheTargetsUnits) {
  const auto problem = problems::sinc_regression(60, 0.1, 10);
  const Fit one = exact_regress(problem.phi, problem.t);
  const Fit other = exact_regress(problem.phi, 1024 * problem.t);
  EXPECT_EQ(one.posterior.active, other.posterior.active);
  EXPECT_LT((1024 * one.posterior.mean - other.posterior.mean).norm(),
            1e-9 * other.posterior.mean.norm());
  EXPECT_NEAR(other.posterior.noise_variance / one.posterior.noise_variance, 1024.0 * 1024.0, 1);
  const Fit shifted = exact_regress(problem.phi, problem.t.array() + 100);
  EXPECT_LT((predict(problem.phi, shifted.posterior) - predict(problem.phi, one.posterior))
                .array()
                .
                operator-(100)
                .abs()
                .maxCoeff(),
            1e-6);
}

TEST(Exact, LearnsSincWithFewKernels) {
  const auto problem = problems::sinc_regression(100, 0.05, 11);
  const Fit fit = exact_regress(problem.phi, problem.t);
  EXPECT_EQ(fit.report.status, Status::converged);
  EXPECT_LE(fit.posterior.active.size(), 15u);
  EXPECT_NEAR(std::sqrt(fit.posterior.noise_variance), 0.05, 0.015);
}

/// Two classes of 150 rows whose 30 columns share five factors: many columns stand in for others.
problems::Classification correlated_classes(std::uint64_t seed) {
  const Index rows = 150, columns = 30, factors = 5;
  problems::Classification problem;
  problem.phi = problems::random_matrix(rows, factors, seed) *
                    problems::random_matrix(factors, columns, seed + 1000) +
                0.4 * problems::random_matrix(rows, columns, seed + 2000);
  const Vector f = problem.phi.leftCols(4) * Vector{{1, -1, 0.5, 0.5}};
  const Vector noise = problems::random_vector(rows, seed + 3000);
  problem.t = (f + noise).unaryExpr([](double v) { return v > 0 ? 1.0 : 0.0; });
  return problem;
}

TEST(Exact, TheOrderOfRowsDoesNotDecideWhichColumnsAreWorthTheirPrice) {
  EngineOptions options;
  options.support_prior = SupportChoice::beta_binomial;
  options.candidates = 30;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const auto problem = correlated_classes(seed);
    const Fit fit = exact_classify(problem.phi, problem.t, options);
    const Fit other = exact_classify(problem.phi.colwise().reverse(), problem.t.reverse(), options);
    EXPECT_EQ(fit.posterior.active, other.posterior.active) << "seed " << seed;
  }
}

}  // namespace
}  // namespace ardent
