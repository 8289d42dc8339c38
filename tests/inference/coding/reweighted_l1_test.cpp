#include "ardent/inference/coding/reweighted_l1.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/inference/coding/active_posterior.h"
#include "ardent/inference/coding/noise_level.h"
#include "ardent/published/screening/screen.h"
#include "hazardous_problems.h"

namespace ardent {
namespace {

using problems::dictionary_of;
using problems::random_matrix;
using problems::random_vector;

/// Dense algebra with N×N matrices, as the paper writes it.
struct DenseModel {
  DenseModel(const Matrix& atoms, const Vector& y, const Vector& gamma, double lambda)
      : phi(atoms) {
    sigma = phi * gamma.asDiagonal() * phi.transpose();
    sigma.diagonal().array() += lambda;
    const Eigen::LDLT<Matrix> factor(sigma);
    const double log_determinant = factor.vectorD().array().log().sum();
    loss = log_determinant + y.dot(factor.solve(y));
    gamma_h = (phi.transpose() * factor.solve(phi)).diagonal();
    mean = gamma.asDiagonal() * phi.transpose() * factor.solve(y);
    covariance = Matrix(gamma.asDiagonal()) -
                 gamma.asDiagonal() * phi.transpose() * factor.solve(phi) * gamma.asDiagonal();
  }
  Matrix phi, sigma;
  Vector gamma_h, mean;
  Matrix covariance;
  double loss = 0;
};

Vector spread(const std::vector<Index>& atoms, const Vector& values, Index n) {
  Vector all = Vector::Zero(n);
  for (std::size_t k = 0; k < atoms.size(); ++k) all[atoms[k]] = values[k];
  return all;
}

struct Planted {
  Matrix phi;
  std::unique_ptr<Dictionary> dictionary;
  Vector y;
};

/// Five atoms of 120, and noise of standard deviation 0.05.
Planted planted(std::uint64_t seed) {
  Planted p;
  p.phi = random_matrix(50, 120, seed).colwise().normalized();
  p.y = 0.05 * random_vector(50, seed + 1);
  for (Index k = 0; k < 5; ++k) p.y += (k % 2 == 0 ? 1.0 : -1.5) * p.phi.col(20 * k + 3);
  p.dictionary = dictionary_of(p.phi);
  return p;
}

TEST(ActivePosterior, EqualsTheDenseForms) {
  for (const double lambda : {1e-4, 0.1, 10.0}) {
    const Matrix phi = random_matrix(20, 40, 1);
    const Vector y = random_vector(20, 2);
    const std::vector<Index> support{3, 8, 9, 25};
    const Vector gamma = (Vector(4) << 2, 1e-6, 0.3, 50).finished();
    const DenseModel dense(phi, y, spread(support, gamma, 40), lambda);
    const Matrix gram = phi.transpose() * phi;
    const ActivePosterior posterior(gram(support, support), gamma, lambda);
    std::vector<Vector> rows;
    std::vector<const Vector*> pointers;
    for (const Index j : support) rows.push_back(gram.col(j));
    for (const Vector& row : rows) pointers.push_back(&row);
    const Vector norms = phi.colwise().norm();
    const Vector gamma_h = posterior.reweighting(norms, support, pointers);
    for (Index i = 0; i < 40; ++i) {
      EXPECT_NEAR(gamma_h[i], dense.gamma_h[i], 1e-9 * dense.gamma_h[i]) << i << " " << lambda;
    }
    const Vector rho = phi.transpose() * y;
    EXPECT_LT((posterior.mean(rho(support)) - dense.mean(support)).norm(), 1e-9);
    EXPECT_LT((posterior.covariance() - dense.covariance(support, support)).norm(), 1e-9);
    EXPECT_NEAR(20 * std::log(lambda) + posterior.log_determinant(),
                dense.sigma.ldlt().vectorD().array().log().sum(), 1e-9);
  }
}

TEST(ReweightedL1, LossIsTheDenseOneAndNeverRises) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Planted p = planted(seed);
    for (const CodeStart start : {CodeStart::zero, CodeStart::ones}) {
      CodeOptions options{.lambda = 0.01, .code_start = start, .tolerance = 1e-12};
      options.outer_tolerance = 1e-12;
      const auto result = sparse_bayes_code(*p.dictionary, p.y, options);
      const auto& steps = result.report.steps;
      ASSERT_GE(steps.size(), 3u);
      for (std::size_t k = 1; k < steps.size(); ++k) {
        EXPECT_LE(steps[k].loss, steps[k - 1].loss + 1e-9) << seed;
      }
      const DenseModel dense(p.phi, p.y, spread(result.code.active, result.gamma, 120), 0.01);
      EXPECT_NEAR(steps.back().loss, dense.loss, 1e-9 * std::abs(dense.loss));
    }
  }
}

/// Of a new observation of each number of the signal: λ + (ΦΣΦᵀ)_ii.
Vector predictive_variance(const Matrix& phi, const SparseBayesCode& code) {
  const Matrix columns = phi(Eigen::all, code.code.active);
  return (columns * code.covariance * columns.transpose()).diagonal().array() + code.lambda;
}

TEST(ReweightedL1, CodeIsThePosteriorMeanAndItsVariancesAreThePosteriors) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Planted p = planted(seed);
    const auto result = sparse_bayes_code(*p.dictionary, p.y, {.lambda = 0.01});
    const Vector gamma = spread(result.code.active, result.gamma, 120);
    const DenseModel dense(p.phi, p.y, gamma, 0.01);
    EXPECT_LT((spread(result.code.active, result.code.theta, 120) - dense.mean).norm(),
              1e-7 * dense.mean.norm());
    const Matrix covariance = dense.covariance(result.code.active, result.code.active);
    EXPECT_LT((result.covariance - covariance).norm(), 1e-9 * covariance.norm());
    EXPECT_EQ(result.variance, result.covariance.diagonal());
    const Vector predictive = predictive_variance(p.phi, result);
    const Vector expected =
        (p.phi * dense.covariance * p.phi.transpose()).diagonal().array() + 0.01;
    EXPECT_LT((predictive - expected).norm(), 1e-9);
  }
}

TEST(ReweightedL1, FindsThePlantedAtoms) {
  int exact = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Planted p = planted(seed);
    const auto result = sparse_bayes_code(*p.dictionary, p.y, {.lambda = 0.03});
    exact += result.code.active == std::vector<Index>{3, 23, 43, 63, 83};
    EXPECT_EQ(result.report.status, Status::converged);
    EXPECT_LE(result.report.steps.back().active, result.report.steps.front().active);
  }
  EXPECT_GE(exact, 18);
}

TEST(ReweightedL1, UnitsOfSignalAndAtomsDoNotMatter) {
  const Planted p = planted(3);
  const auto base = sparse_bayes_code(*p.dictionary, p.y, {.lambda = 0.01});
  Vector units(120);
  for (Index i = 0; i < 120; ++i) units[i] = std::pow(10.0, static_cast<double>(i % 13) - 6);
  const auto scaled_dictionary = dictionary_of(p.phi * units.asDiagonal());
  for (const double c : {1e-6, 1.0, 1e6}) {
    const auto scaled = sparse_bayes_code(*scaled_dictionary, c * p.y, {.lambda = c * c * 0.01});
    ASSERT_EQ(scaled.code.active, base.code.active);
    const Vector back = scaled.code.theta.cwiseProduct(units(base.code.active)) / c;
    EXPECT_LT((back - base.code.theta).norm(), 1e-9 * base.code.theta.norm());
    EXPECT_EQ(scaled.report.steps.size(), base.report.steps.size());
  }
}

TEST(ReweightedL1, EveryScreeningGivesTheSameCode) {
  const Planted p = planted(4);
  for (const double ratio : {0.02, 0.2, 0.6}) {
    CodeOptions options{.lambda_ratio = ratio, .tolerance = 1e-11};
    use_screening({ScreenTest::none}, options);
    const auto base = sparse_bayes_code(*p.dictionary, p.y, options);
    Index rejected_first = 0;
    for (const ScreenTest test :
         {ScreenTest::sphere, ScreenTest::dome, ScreenTest::two_hyperplane, ScreenTest::gap}) {
      for (const Ball ball : {Ball::paper, Ball::half}) {
        use_screening({test, ball}, options);
        const auto other = sparse_bayes_code(*p.dictionary, p.y, options);
        ASSERT_EQ(other.code.active, base.code.active);
        EXPECT_LT((other.code.theta - base.code.theta).norm(), 1e-9 * base.code.theta.norm());
        rejected_first += other.report.steps.front().rejected;
      }
    }
    if (ratio == 0.6) {
      EXPECT_GT(rejected_first, 0);
    }
  }
}

TEST(ReweightedL1, SharedRowsAndNonnegativeCodes) {
  const Planted p = planted(5);
  const Vector rho = p.phi.transpose() * p.y;
  GramRows rows(*p.dictionary, 1 << 20);
  CodeOptions options{.lambda = 0.01, .tolerance = 1e-12};
  const auto alone = sparse_bayes_code(*p.dictionary, p.y, options);
  const auto shared = code_at({rows, p.y, rho, true}, 0.01, options, {});
  ASSERT_EQ(shared.code.active, alone.code.active);
  EXPECT_LT((shared.code.theta - alone.code.theta).norm(), 1e-9);
  options.nonnegative = true;
  const auto positive = sparse_bayes_code(*p.dictionary, p.y, options);
  EXPECT_FALSE(positive.code.active.empty());
  EXPECT_GT(positive.code.theta.minCoeff(), 0);
  EXPECT_LT(alone.code.theta.minCoeff(), 0);
}

TEST(ReweightedL1, LambdaByRatioByPathAndAutomatic) {
  const Planted p = planted(6);
  const Vector rho = p.phi.transpose() * p.y;
  const double largest = rho.cwiseAbs2().maxCoeff();  // atoms have length 1
  EXPECT_TRUE(sparse_bayes_code(*p.dictionary, p.y, {.lambda_ratio = 1}).code.active.empty());
  const auto ratio = sparse_bayes_code(*p.dictionary, p.y, {.lambda_ratio = 0.01});
  EXPECT_NEAR(ratio.lambda, 0.01 * largest, 1e-12);
  const auto ones =
      sparse_bayes_code(*p.dictionary, p.y, {.lambda_ratio = 0.01, .code_start = CodeStart::ones});
  EXPECT_NEAR(ones.lambda, 0.01 * rho.cwiseAbs().maxCoeff(), 1e-12);

  GramRows rows(*p.dictionary, 1 << 20);
  const CodingTask task{rows, p.y, rho};
  const auto path = codes_by_lambda(task, {.lambda_ratio = 0.001, .lambda_steps = 6});
  ASSERT_EQ(path.size(), 6u);
  for (std::size_t k = 1; k < 6; ++k) EXPECT_LT(path[k].lambda, path[k - 1].lambda);
  EXPECT_NEAR(path.back().lambda, 0.001 * largest, 1e-12);
  EXPECT_LT(path.front().code.active.size(), path.back().code.active.size());

  // Noise of variance 0.0025: v̂ = λ/κ within sampling error of 45 degrees of freedom.
  const auto automatic = sparse_bayes_code(*p.dictionary, p.y);
  const double v = automatic.lambda / (2 * std::log(120.0));
  EXPECT_GT(v, 0.0025 / 2);
  EXPECT_LT(v, 0.0025 * 2);
  EXPECT_TRUE(std::ranges::includes(automatic.code.active, std::vector<Index>{3, 23, 43, 63, 83}));
  EXPECT_LE(automatic.code.active.size(), 7u);
  const auto doubled = sparse_bayes_code(*p.dictionary, p.y, {.noise_factor = 1});
  EXPECT_LT(doubled.lambda, automatic.lambda);
}

TEST(ReweightedL1, OneOuterIterationIsTheWeightedLasso) {
  const Planted p = planted(7);
  const auto result = sparse_bayes_code(
      *p.dictionary, p.y,
      {.lambda_ratio = 0.1, .code_start = CodeStart::ones, .max_outer = 1, .tolerance = 1e-12});
  const double w = 0.1 * (p.phi.transpose() * p.y).cwiseAbs().maxCoeff();
  const Vector c =
      p.phi.transpose() * (p.y - p.phi * spread(result.code.active, result.code.theta, 120));
  EXPECT_NEAR(c.cwiseAbs().maxCoeff(), w, 1e-10);
  EXPECT_EQ(result.report.steps.size(), 1u);
  EXPECT_EQ(result.report.status, Status::converged);
}

TEST(ReweightedL1, SilenceIsCodedByNothing) {
  const Planted p = planted(8);
  for (const CodeOptions& options : {CodeOptions{}, CodeOptions{.lambda_ratio = 0.1}}) {
    const auto result = sparse_bayes_code(*p.dictionary, Vector::Zero(50), options);
    EXPECT_TRUE(result.code.active.empty());
    EXPECT_EQ(result.report.status, Status::converged);
    EXPECT_EQ(predictive_variance(p.phi, result)[0], result.lambda);
  }
}

TEST(ReweightedL1, AutomaticLambdaSurvivesAPerfectFit) {
  const Planted p = planted(9);
  const Vector exact = 2 * p.phi.col(7);
  const auto result = sparse_bayes_code(*p.dictionary, exact);
  EXPECT_EQ(result.code.active, std::vector<Index>{7});
  EXPECT_GT(result.lambda, 0);
  EXPECT_NEAR(result.code.theta[0], 2, 1e-4);
}

TEST(ReweightedL1, SameBitsForAnyNumberOfThreads) {
  const Planted p = planted(10);
  const auto solve = [&](int threads) {
    const ThreadScope scope(threads);
    return sparse_bayes_code(*p.dictionary, p.y, {.lambda = 0.001});
  };
  const auto one = solve(1);
  const auto eight = solve(8);
  EXPECT_EQ(one.code.theta, eight.code.theta);
  EXPECT_EQ(one.variance, eight.variance);
}

TEST(ReweightedL1, SaysWhatIsWrongWithARequest) {
  const Planted p = planted(11);
  const auto message = [&](const CodeOptions& options) -> std::string {
    try {
      sparse_bayes_code(*p.dictionary, p.y, options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  using testing::HasSubstr;
  EXPECT_THAT(message({.lambda = -1}), HasSubstr("lambda must be above 0"));
  EXPECT_THAT(message({.lambda_ratio = 1.5}),
              HasSubstr("lambda_ratio must be above 0 and at most"));
  EXPECT_THAT(message({.lambda = 1, .lambda_ratio = 0.5}), HasSubstr("left out when lambda"));
  EXPECT_THAT(message({.max_outer = 0}), HasSubstr("max_outer must be at least 1, not 0"));
  EXPECT_THAT(message({.tolerance = 0}), HasSubstr("tolerance must be above 0"));
  EXPECT_THAT(message({.lambda_steps = 0}), HasSubstr("lambda_steps must be at least 1"));
  EXPECT_THROW(sparse_bayes_code(*p.dictionary, Vector::Ones(7)), InputError);
}

}  // namespace
}  // namespace ardent
