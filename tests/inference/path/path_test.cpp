// The path engine: what it chooses, and the posterior that its model carries.
#include "ardent/inference/path/path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "ardent/base/parallel.h"
#include "ardent/design/dense.h"
#include "ardent/design/sparse.h"
#include "problems/random_matrix.h"
#include "problems/regression.h"

namespace ardent {
namespace {

Fit classify(const problems::Classification& problem, const EngineOptions& options = {}) {
  return fit_path(DenseDesign(problem.phi), {Likelihood::bernoulli, problem.t}, options);
}

Fit classify_sparse(const problems::Classification& problem, const EngineOptions& options = {}) {
  return fit_path(SparseDesign(problems::sparse_rows(problem.phi)),
                  {Likelihood::bernoulli, problem.t}, options);
}

Fit regress(const problems::Regression& problem, const EngineOptions& options = {}) {
  return fit_path(DenseDesign(problem.phi), {Likelihood::gaussian, problem.t}, options);
}

TEST(Path, FindsPlantedColumns) {
  const Fit regression = regress(problems::planted_regression(150, 400, 5, 0.5, 1));
  EXPECT_EQ(regression.report.status, Status::converged);
  for (Index k = 0; k < 5; ++k) {
    EXPECT_EQ(regression.posterior.active[static_cast<std::size_t>(k)], k);
    EXPECT_NEAR(std::abs(regression.posterior.mean[k]), 1, 0.2);
  }
  EXPECT_LT(regression.posterior.active.size(), 40u);
  EXPECT_NEAR(regression.posterior.noise_variance, 0.25, 0.08);
  const Fit classes = classify(problems::planted_classification(300, 200, 4, 2.0, 2));
  EXPECT_TRUE(std::ranges::includes(classes.posterior.active, std::vector<Index>{0, 1, 2, 3}));
  EXPECT_TRUE(classes.posterior.plug_in);
}

TEST(Path, SizeAndMostFeaturesAreKept) {
  const auto problem = problems::planted_classification(200, 150, 20, 0.7, 3);
  const auto size_of = [&](const EngineOptions& options) {
    return static_cast<Index>(classify(problem, options).posterior.active.size());
  };
  for (const Index size : {3, 10, 40}) {
    EXPECT_LE(size_of({.size = size}), size);
    EXPECT_GE(size_of({.size = size}), size / 2);
  }
  EXPECT_LE(size_of({.rule = PathRule::one_standard_error}), size_of({}));
  EXPECT_LE(size_of({.max_features = 5}), 10);
  EXPECT_LT(size_of({.max_features = 5}), size_of({}));
}

/// Log loss of rows beyond the first `known`, for a fit of those.
double fresh_loss(const problems::Classification& problem, Index known,
                  const EngineOptions& options, bool sparse = false) {
  const Index fresh = problem.t.size() - known;
  const problems::Classification rows{problem.phi.topRows(known), problem.t.head(known), problem.w,
                                      problem.bias};
  const Posterior posterior = (sparse ? classify_sparse : classify)(rows, options).posterior;
  const Vector f =
      (problem.phi.bottomRows(fresh)(Eigen::all, posterior.active) * posterior.mean).array() +
      posterior.bias;
  const Vector sign = 2 * problem.t.tail(fresh).array() - 1;
  return (1 + (-sign.cwiseProduct(f)).array().exp()).log().mean();
}

// Reweighting drops columns at equal λ: at equal size it is λ that differs, and the folds must
// compare the two there.
TEST(Path, OfASizeItIsAboutAsGoodAsL1OfThatSize) {
  for (const Index size : {5, 30, 80}) {
    double reweighted = 0, plain = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto problem = problems::planted_classification(1200, 120, 100, 0.3, seed);
      reweighted += fresh_loss(problem, 200, {.size = size}) / 5;
      plain += fresh_loss(problem, 200, {.reweightings = 0, .size = size}) / 5;
    }
    EXPECT_LT(reweighted, plain + 0.01) << size;
  }
}

/// Two classes that 60 columns tell apart, each a noisy copy of the same factor: none is to be
/// preferred.
problems::Classification kin(Index rows, std::uint64_t seed) {
  problems::Classification problem = problems::planted_classification(rows, 60, 1, 2.0, seed);
  const Vector factor = problem.phi.col(0);
  problem.phi = problems::random_matrix(rows, 60, seed + 100) + factor.replicate(1, 60);
  return problem;
}

TEST(Path, AnL2TermIsTakenWhereColumnsAreKin) {
  double with = 0, without = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto problem = kin(1100, seed);
    with += fresh_loss(problem, 100, {}, true) / 3;
    without += fresh_loss(problem, 100, {.ridge = false}, true) / 3;
  }
  EXPECT_LT(with, without - 0.005);
}

TEST(Path, DenseColumnsHaveNoL2Term) {
  const auto problem = kin(150, 4);
  EXPECT_EQ(classify(problem).posterior.mean, classify(problem, {.ridge = false}).posterior.mean);
}

TEST(Path, WithoutAnL2TermItIsTheSamePath) {
  // The folds choose ℓ1 where few columns say it all: then the two are the same to the bit.
  const auto problem = problems::planted_classification(200, 60, 3, 2.0, 11);
  const Fit asked = classify_sparse(problem), alone = classify_sparse(problem, {.ridge = false});
  EXPECT_THAT(asked.report.notes, ::testing::Each(::testing::Not(::testing::HasSubstr("l2 term"))));
  EXPECT_EQ(asked.posterior.mean, alone.posterior.mean);
  EXPECT_EQ(asked.posterior.covariance, alone.posterior.covariance);
}

TEST(Path, AnL2TermIsPartOfThePriorsPrecisions) {
  const auto problem = kin(150, 4);
  const Fit fit = classify_sparse(problem);
  ASSERT_THAT(fit.report.notes, ::testing::Contains(::testing::HasSubstr("l2 term")));
  const Posterior& posterior = fit.posterior;
  const Matrix phi = problem.phi(Eigen::all, posterior.active);
  const Vector f = (phi * posterior.mean).array() + posterior.bias;
  const Vector slope = phi.transpose() * Vector(problem.t.array() - 1 / (1 + (-f.array()).exp()));
  EXPECT_LT((slope - posterior.alpha.cwiseProduct(posterior.mean)).norm(), 5e-3 * slope.norm());
}

TEST(Path, ItsWeightsAreTheModeOfItsPosterior) {
  const auto problem = problems::planted_classification(200, 40, 5, 1.5, 4);
  const Posterior posterior = classify(problem).posterior;
  const Matrix phi = problem.phi(Eigen::all, posterior.active);
  const Vector f = (phi * posterior.mean).array() + posterior.bias;
  const Vector y = 1 / (1 + (-f.array()).exp());
  const Vector slope = phi.transpose() * (problem.t - y);
  EXPECT_LT((slope - posterior.alpha.cwiseProduct(posterior.mean)).norm(), 5e-3 * slope.norm());
  const Vector beta = y.array() * (1 - y.array());
  Matrix with_ones(phi.rows(), phi.cols() + 1);
  with_ones << phi, Vector::Ones(phi.rows());
  Matrix precision = with_ones.transpose() * beta.asDiagonal() * with_ones;
  precision.diagonal().head(phi.cols()) += posterior.alpha;
  precision(phi.cols(), phi.cols()) += 1e-8;
  EXPECT_LT(
      (posterior.covariance * precision - Matrix::Identity(precision.rows(), precision.rows()))
          .norm(),
      1e-6);
  EXPECT_TRUE((posterior.gamma.array() > 0).all() && (posterior.gamma.array() < 1).all());
}

TEST(Path, GaussianPosteriorAndEvidenceAreThoseOfTheDenseFormula) {
  const auto problem = problems::planted_regression(80, 30, 4, 0.6, 5);
  const Posterior posterior = regress(problem).posterior;
  const Index n = 80;
  const Matrix phi = problem.phi(Eigen::all, posterior.active);
  Matrix c = phi * posterior.alpha.cwiseInverse().asDiagonal() * phi.transpose();
  c.diagonal().array() += posterior.noise_variance;
  const double mean = problem.t.mean(), variance = (problem.t.array() - mean).square().mean();
  c.array() += 1e8 * variance;
  const Vector t = problem.t.array() - mean;
  const Eigen::LLT<Matrix> factor(c);
  const double log_determinant = 2 * Matrix(factor.matrixL()).diagonal().array().log().sum();
  const double wanted = -0.5 * (static_cast<double>(n) * std::log(2 * M_PI) + log_determinant +
                                t.dot(factor.solve(t)));
  EXPECT_NEAR(posterior.log_evidence, wanted, 2e-3 * std::abs(wanted));
}

TEST(Path, PureNoiseIsLeftAlone) {
  const auto noise = problems::planted_regression(60, 100, 0, 1.0, 6);
  EXPECT_LE(regress(noise, {.rule = PathRule::one_standard_error}).posterior.active.size(), 2u);
}

TEST(Path, ResultsDoNotDependOnTheNumberOfThreads) {
  const auto problem = problems::planted_classification(150, 200, 6, 1.0, 7);
  const auto run = [&](int threads) {
    const ThreadScope scope(threads);
    return classify(problem).posterior;
  };
  const Posterior one = run(1), four = run(4);
  EXPECT_EQ(one.active, four.active);
  EXPECT_EQ(one.mean, four.mean);
  EXPECT_EQ(one.covariance, four.covariance);
}

TEST(Path, StopsWhenAsked) {
  const auto problem = problems::planted_classification(150, 50, 6, 1.0, 8);
  int events = 0;
  const Fit fit = fit_path(DenseDesign(problem.phi), {Likelihood::bernoulli, problem.t}, {},
                           [&](const ProgressEvent&) { return ++events < 5; });
  EXPECT_EQ(fit.report.status, Status::stopped);
  EXPECT_LE(events, 6);
}

}  // namespace
}  // namespace ardent
