// The odds of each column, against the evidence of the model with and without it.
#include "ardent/inference/evidence/support_odds.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "ardent/inference/evidence/evidence.h"
#include "ardent/inference/evidence/support_prior.h"
#include "inference/fit_dense.h"
#include "problems/regression.h"

namespace ardent {
namespace {

/// log N(t | 0, σ²I + Phi A⁻¹Phiᵀ + 1e8 11ᵀ) up to a constant, in the units of the problem.
double log_density(const Matrix& phi, const Vector& alpha, double noise, const Vector& t) {
  Matrix c = phi * alpha.cwiseInverse().asDiagonal() * phi.transpose();
  c.diagonal().array() += noise;
  c.array() += 1e4;
  const Eigen::LLT<Matrix> factor(c);
  return -Matrix(factor.matrixL()).diagonal().array().log().sum() - 0.5 * t.dot(factor.solve(t));
}

TEST(SupportOdds, AreTheEvidenceWithAndWithoutAColumnLessItsPrice) {
  const auto problem = problems::planted_regression(60, 30, 3, 1.0, 1);
  const Fit fit =
      exact_regress(problem.phi, problem.t, {.support_prior = SupportChoice::beta_binomial});
  const Posterior& posterior = fit.posterior;
  const Index m = posterior.mean.size();
  ASSERT_GE(m, 2);
  const SupportOdds odds = support_odds(posterior, fit.report.candidates);
  const Vector t = problem.t.array() - problem.t.mean();
  const Matrix phi = problem.phi(Eigen::all, posterior.active);
  const double with = log_density(phi, posterior.alpha, posterior.noise_variance, t);
  double expected = 0;
  for (Index k = 0; k < m; ++k) {
    std::vector<Index> others;
    for (Index j = 0; j < m; ++j) {
      if (j != k) others.push_back(j);
    }
    const double without =
        log_density(phi(Eigen::all, others), posterior.alpha(others), posterior.noise_variance, t);
    const double wanted = with - without - SupportPrior(fit.report.candidates).cost(m - 1);
    EXPECT_NEAR(odds.log_odds[k], wanted, 1e-2 + 1e-3 * std::abs(wanted));
    expected += 1 / (1 + std::exp(odds.log_odds[k]));
  }
  EXPECT_NEAR(odds.expected_false, expected, 1e-9);
}

}  // namespace
}  // namespace ardent
