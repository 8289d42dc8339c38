// The sequential engine on problems whose answer is known, and against the exact engine.
#include "ardent/inference/sequential/sequential.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "ardent/base/parallel.h"
#include "ardent/design/dense.h"
#include "ardent/inference/engines/exact.h"
#include "inference/fit_dense.h"
#include "problems/regression.h"

namespace ardent {
namespace {

TEST(Sequential, FindsThePlantedWeightsOfAClassifier) {
  const auto problem = problems::planted_classification(2000, 40, 4, 2.0, 1);
  const Fit fit = sequential_classify(problem.phi, problem.t);
  EXPECT_EQ(fit.report.status, Status::converged);
  ASSERT_GE(fit.posterior.active.size(), 4u);
  EXPECT_LE(fit.posterior.active.size(), 12u);
  for (Index k = 0; k < 4; ++k) {
    EXPECT_EQ(fit.posterior.active[k], k);
    EXPECT_NEAR(fit.posterior.mean[k], problem.w[k], 4 * std::sqrt(fit.posterior.variance[k]));
    EXPECT_GT(fit.posterior.gamma[k], 0.9);
  }
}

TEST(Sequential, FindsThePlantedWeightsAndNoiseOfARegression) {
  const auto problem = problems::planted_regression(500, 30, 5, 0.5, 2);
  const Fit fit = sequential_regress(problem.phi, problem.t);
  EXPECT_EQ(fit.report.status, Status::converged);
  ASSERT_GE(fit.posterior.active.size(), 5u);
  for (Index k = 0; k < 5; ++k) {
    EXPECT_EQ(fit.posterior.active[k], k);
    EXPECT_NEAR(fit.posterior.mean[k], problem.w[k], 4 * std::sqrt(fit.posterior.variance[k]));
  }
  EXPECT_NEAR(fit.posterior.noise_variance, 0.25, 0.05);
  EXPECT_NEAR(fit.posterior.bias, 2, 0.1);
}

TEST(Sequential, ObjectiveRisesWithEveryStep) {
  const auto rises = [](const Fit& fit, std::size_t fewest = 1) {
    const auto& stages = fit.report.stages;
    EXPECT_EQ(fit.report.status, Status::converged);
    ASSERT_GE(stages.size(), fewest);
    for (std::size_t s = 1; s < stages.size(); ++s) {
      EXPECT_GE(stages[s].objective,
                stages[s - 1].objective - 2e-6 - 1e-9 * std::abs(stages[s].objective));
    }
    EXPECT_EQ(stages.back().log_evidence, fit.posterior.log_evidence);
    EXPECT_EQ(stages.back().active, std::ssize(fit.posterior.active));
  };
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto regression = problems::planted_regression(80, 120, 5, 0.7, 10 + seed);
    const EngineOptions growing{.second_start = false};
    rises(sequential_regress(regression.phi, regression.t, growing), 5);
    rises(sequential_regress(regression.phi, regression.t));
    const auto sinc = problems::sinc_regression(80, 0.1, 20 + seed);
    rises(sequential_regress(sinc.phi, sinc.t, growing), 5);
    rises(sequential_regress(sinc.phi, sinc.t));
    const auto planted = problems::planted_classification(200, 40, 5, 1.5, 30 + seed);
    rises(sequential_classify(planted.phi, planted.t, growing), 5);
    rises(sequential_classify(planted.phi, planted.t));
    const auto kernel = problems::kernel_classification(150, 1.0, 40 + seed);
    rises(sequential_classify(kernel.phi, kernel.t, growing), 5);
    rises(sequential_classify(kernel.phi, kernel.t));
  }
}

/// How far the evidence is above that of the exact engine, in nats.
double lead_over_exact(const Matrix& phi, const Vector& t, Likelihood likelihood) {
  const Target target{likelihood, t};
  return fit_sequential(DenseDesign(phi), target).posterior.log_evidence -
         fit_exact(DenseDesign(phi), target).posterior.log_evidence;
}

TEST(Sequential, EvidenceIsThatOfTheExactEngineOrHigherWhereColumnsAreIndependent) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto regression = problems::planted_regression(150, 60, 5, 0.7, 50 + seed);
    EXPECT_GT(lead_over_exact(regression.phi, regression.t, Likelihood::gaussian), -0.01);
    const auto wide = problems::planted_regression(60, 120, 5, 0.7, 50 + seed);
    EXPECT_GT(lead_over_exact(wide.phi, wide.t, Likelihood::gaussian), 0);
    const auto planted = problems::planted_classification(300, 60, 5, 1.5, 60 + seed);
    EXPECT_GT(lead_over_exact(planted.phi, planted.t, Likelihood::bernoulli), -0.05);
  }
}

TEST(Sequential, EvidenceIsThatOfTheExactEngineOrHigherWhereColumnsAreKernels) {
  // The second climb starts where `exact` does, and goes on where that ends.
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto sinc = problems::sinc_regression(100, 0.1, 70 + seed);
    EXPECT_GT(lead_over_exact(sinc.phi, sinc.t, Likelihood::gaussian), -1e-3);
    const auto kernel = problems::kernel_classification(200, 1.0, 80 + seed);
    EXPECT_GT(lead_over_exact(kernel.phi, kernel.t, Likelihood::bernoulli), -1e-3);
  }
  // Of more columns than it can afford it draws some.
  const auto many = problems::planted_regression(40, 3500, 5, 0.7, 90);
  const Target target{Likelihood::gaussian, many.t};
  const Fit fit = fit_sequential(DenseDesign(many.phi), target);
  const Fit grown = fit_sequential(DenseDesign(many.phi), target, {.second_start = false});
  EXPECT_GE(fit.posterior.log_evidence, grown.posterior.log_evidence);
}

/// One column, no bias: the best precision at the noise found is s²/(q² − s).
TEST(Sequential, OneColumnHasItsClosedFormPrecision) {
  const auto problem = problems::planted_regression(100, 1, 1, 1.0, 6, 0);
  const Fit fit = sequential_regress(problem.phi, problem.t, {.bias = false, .tolerance = 1e-7});
  ASSERT_EQ(fit.posterior.active.size(), 1u);
  const double noise = fit.posterior.noise_variance;
  const double s = problem.phi.col(0).squaredNorm() / noise;
  const double q = problem.phi.col(0).dot(problem.t) / noise;
  ASSERT_GT(q * q, s);
  EXPECT_NEAR(fit.posterior.alpha[0] / (s * s / (q * q - s)), 1, 1e-5);
}

TEST(Sequential, OrthogonalColumnsHaveClosedForms) {
  // Walsh functions: PhiᵀPhi = N I, so that weights do not interact; some are noise alone.
  const Index n = 64, m = 32;
  Matrix phi(n, m);
  for (Index k = 0; k < m; ++k) {
    for (Index i = 0; i < n; ++i)
      phi(i, k) = std::popcount(static_cast<std::uint64_t>(i & (k + 1))) % 2 == 0 ? 1 : -1;
  }
  Random random(8);
  Vector t = phi.col(0) + 2 * phi.col(1) + 0.5 * phi.col(2);
  for (Index i = 0; i < n; ++i) t[i] += 0.8 * random.normal();
  const Fit fit = sequential_regress(phi, t, {.tolerance = 1e-7});
  EXPECT_EQ(fit.report.status, Status::converged);
  const double noise = fit.posterior.noise_variance;
  const Vector least_squares = phi.transpose() * t / static_cast<double>(n);
  std::vector<Index> wanted;
  for (Index k = 0; k < m; ++k) {
    if (std::pow(least_squares[k], 2) > noise / static_cast<double>(n)) wanted.push_back(k);
  }
  EXPECT_LT(wanted.size(), 32u);
  ASSERT_EQ(fit.posterior.active, wanted);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const double s = static_cast<double>(n) / noise, q = s * least_squares[wanted[k]];
    EXPECT_NEAR(fit.posterior.alpha[k] / (s * s / (q * q - s)), 1, 1e-4);
  }
}

TEST(Sequential, ThePathHoldsTheWeightsOfEveryStepInTheCallersUnits) {
  const auto problem = problems::planted_regression(100, 20, 4, 0.5, 17);
  for (const bool second : {false, true}) {
    const Fit fit = sequential_regress(1000 * problem.phi, 7 * problem.t,
                                       {.keep_stages = true, .second_start = second});
    ASSERT_EQ(fit.report.path.size(), fit.report.stages.size());
    EXPECT_EQ(std::ssize(fit.report.path.front().active), fit.report.stages.front().active);
    if (!second) {
      EXPECT_EQ(fit.report.path.front().active.size(), 1u);
    }
    EXPECT_EQ(fit.report.path.back().active, fit.posterior.active);
    EXPECT_LT((fit.report.path.back().mean - fit.posterior.mean).norm(), 1e-12);
    EXPECT_NEAR(fit.report.path.back().bias, fit.posterior.bias, 1e-12);
  }
  EXPECT_TRUE(sequential_regress(problem.phi, problem.t).report.path.empty());
}

}  // namespace
}  // namespace ardent
