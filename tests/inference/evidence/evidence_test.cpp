#include "ardent/inference/evidence/evidence.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <numbers>
#include <numeric>

#include "ardent/design/dense.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/inference/evidence/dual_space.h"
#include "problems/regression.h"

namespace ardent {
namespace {

ActiveProblem active_problem(const Matrix& phi, const Vector& t, Likelihood likelihood) {
  ActiveProblem problem;
  problem.phi = std::make_shared<DenseDesign>(phi);
  problem.columns.resize(phi.cols());
  std::iota(problem.columns.begin(), problem.columns.end(), Index{0});
  problem.likelihood = likelihood;
  problem.t = t;
  return problem;
}

Vector spread_alpha(Index cols) {
  return Vector::LinSpaced(cols, -2, 3).array().exp();
}

/// log N(t | 0, σ²I + Phi A⁻¹Phiᵀ + τ⁻¹11ᵀ), the N×N way.
double dense_evidence(const Matrix& phi, const Vector& t, const Vector& alpha, double noise,
                      const EngineOptions& options) {
  const Index n = t.size();
  Matrix c = phi * alpha.cwiseInverse().asDiagonal() * phi.transpose();
  c.diagonal().array() += noise;
  if (options.bias) c.array() += 1 / options.bias_precision;
  const Eigen::LLT<Matrix> factor(c);
  const Matrix l = factor.matrixL();
  return -0.5 * (static_cast<double>(n) * std::log(2 * std::numbers::pi) +
                 2 * l.diagonal().array().log().sum() + t.dot(factor.solve(t)));
}

class GaussianEvidence : public testing::TestWithParam<std::tuple<Index, bool>> {};

TEST_P(GaussianEvidence, IsTheDensityOfTheTarget) {
  const auto [cols, bias] = GetParam();
  const auto data = problems::planted_regression(30, cols, 3, 0.5, 1);
  EngineOptions options{.bias = bias, .bias_precision = 1e-3};
  const Vector alpha = spread_alpha(cols);
  const EvidenceState state =
      evaluate(active_problem(data.phi, data.t, Likelihood::gaussian), {alpha, 0.3}, options);
  EXPECT_NEAR(state.log_evidence, dense_evidence(data.phi, data.t, alpha, 0.3, options), 1e-8);
}

TEST_P(GaussianEvidence, SlopesMatchFiniteDifferences) {
  const auto [cols, bias] = GetParam();
  const auto data = problems::planted_regression(30, cols, 3, 0.5, 2);
  const EngineOptions options{.bias = bias, .bias_precision = 1e-3};
  const Vector alpha = spread_alpha(cols);
  const auto problem = active_problem(data.phi, data.t, Likelihood::gaussian);
  EvidenceState state = evaluate(problem, {alpha, 0.3}, options);
  find_relevance(state);
  const Vector slope = evidence_slope(state);
  const double step = 1e-4;
  for (const Index k : {Index{0}, cols / 2, cols - 1}) {
    Vector up = alpha, down = alpha;
    up[k] *= std::exp(step);
    down[k] *= std::exp(-step);
    const double wanted = (evaluate(problem, {up, 0.3}, options).log_evidence -
                           evaluate(problem, {down, 0.3}, options).log_evidence) /
                          (2 * step);
    EXPECT_NEAR(slope[k], wanted, 1e-6);
  }
  const double wanted = (evaluate(problem, {alpha, 0.3 * std::exp(-step)}, options).log_evidence -
                         evaluate(problem, {alpha, 0.3 * std::exp(step)}, options).log_evidence) /
                        (2 * step);
  EXPECT_NEAR(noise_precision_slope(state), wanted, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(AroundSquare, GaussianEvidence,
                         testing::Combine(testing::Values<Index>(4, 29, 30, 31, 60),
                                          testing::Bool()));

TEST(Evidence, LaplaceMatchesNumericalIntegrationOfOneWeight) {
  // A well determined weight: Laplace's error is of order 1/N.
  const auto data = problems::planted_classification(400, 1, 1, 0.8, 3, 0);
  const EngineOptions options{.bias = false};
  const double alpha = 0.7;
  const EvidenceState state = evaluate(active_problem(data.phi, data.t, Likelihood::bernoulli),
                                       {Vector::Constant(1, alpha), 1}, options);
  const double step = 1e-3, top = state.log_evidence;
  double sum = 0;
  for (double w = -4; w <= 4; w += step) {
    const double log_density = bernoulli::log_likelihood(data.t, data.phi.col(0) * w) -
                               0.5 * alpha * w * w + 0.5 * std::log(alpha / (2 * std::numbers::pi));
    sum += step * std::exp(log_density - top);
  }
  EXPECT_NEAR(std::log(sum), 0, 0.01);
}

TEST(Evidence, PrimalAndDualAgreeOnBernoulliProblems) {
  for (const Index cols : {Index{20}, Index{29}, Index{31}, Index{41}, Index{60}}) {
    const auto data = problems::planted_classification(40, cols, 3, 1.5, 4);
    const EngineOptions options{.newton_tolerance = 1e-14};
    const auto problem = active_problem(data.phi, data.t, Likelihood::bernoulli);
    const Vector alpha = spread_alpha(cols);
    const EvidenceState automatic = evaluate(problem, {alpha, 1}, options);
    // Twice the rows' worth of columns with an infinite precision change nothing but the space.
    Matrix wide(40, cols + 80);
    wide << data.phi, Matrix::Ones(40, 80);
    Vector wide_alpha(cols + 80);
    wide_alpha << alpha, Vector::Constant(80, 1e300);
    const EvidenceState dual =
        evaluate(active_problem(wide, data.t, Likelihood::bernoulli), {wide_alpha, 1}, options);
    ASSERT_TRUE(prefers_dual(dual.problem));
    EXPECT_EQ(prefers_dual(automatic.problem), cols > 30);
    EXPECT_NEAR(automatic.log_evidence, dual.log_evidence, 1e-8);
    EXPECT_LT((automatic.w - dual.w.head(cols)).norm(), 1e-8 * automatic.w.norm());
  }
}

TEST(Evidence, RestrictedProblemIsTheProblemOfThoseColumns) {
  const auto data = problems::planted_regression(40, 12, 3, 0.5, 5);
  const EngineOptions options;
  const EvidenceState whole = evaluate(active_problem(data.phi, data.t, Likelihood::gaussian),
                                       {spread_alpha(12), 0.3}, options);
  const std::vector<Index> kept{1, 4, 11};
  ASSERT_TRUE(whole.problem.unit_gram);
  const EvidenceState part =
      evaluate(restricted(whole.problem, kept), {spread_alpha(3), 0.3}, options);
  const EvidenceState fresh =
      evaluate(active_problem(data.phi(Eigen::all, kept), data.t, Likelihood::gaussian),
               {spread_alpha(3), 0.3}, options);
  EXPECT_EQ(part.problem.columns, kept);
  EXPECT_NEAR(part.log_evidence, fresh.log_evidence, 1e-10);
  EXPECT_LT((part.w - fresh.w).norm(), 1e-12);
}

}  // namespace
}  // namespace ardent
