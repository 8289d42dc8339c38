// Whole fits of the engine diagonal on the card against the processor's.
#include "ardent/cuda/card/card_stages.h"

#include <gmock/gmock.h>

#include <cmath>

#include "ardent/base/error.h"
#include "ardent/cuda/accelerator_for.h"
#include "ardent/cuda/card/memory.h"
#include "ardent/design/dense.h"
#include "ardent/design/sparse.h"
#include "ardent/inference/engines/diagonal.h"
#include "problems/random_matrix.h"

namespace ardent {
namespace {

struct LinearProblem {
  Matrix phi;
  Target target;
};

/// A few columns say how likely a row is of a class, or its value. The classes overlap: where they
/// do not, a mode found to a thousandth is up to the last bit of a sum.
LinearProblem planted(Index rows, Index cols, double density, Likelihood likelihood,
                      std::uint64_t seed) {
  LinearProblem problem{problems::random_matrix(rows, cols, seed, density), {likelihood, {}, {}}};
  Vector w = Vector::Zero(cols);
  for (Index k = 0; k < std::min<Index>(cols, 6); ++k) w[k] = k % 2 == 0 ? 1 : -0.7;
  Vector& t = problem.target.t;
  t = (problem.phi * w).array() + 0.3;
  Random random(seed + 1);
  for (double& x : t) {
    x = likelihood == Likelihood::gaussian          ? x + 0.4 * random.normal()
        : random.uniform() < 1 / (1 + std::exp(-x)) ? 1.0
                                                    : 0.0;
  }
  return problem;
}

Vector predictions(const LinearProblem& problem, const Posterior& posterior) {
  Vector f = Vector::Constant(problem.phi.rows(), posterior.bias);
  for (std::size_t k = 0; k < posterior.active.size(); ++k) {
    f += posterior.mean[static_cast<Index>(k)] * problem.phi.col(posterior.active[k]);
  }
  return f;
}

Fit fit(const LinearProblem& problem, EngineOptions options, bool sparse, Device device) {
  options.accelerator = accelerator_for(device);
  if (sparse) {
    return fit_diagonal(SparseDesign(problems::sparse_rows(problem.phi)), problem.target, options);
  }
  return fit_diagonal(DenseDesign(problem.phi), problem.target, options);
}

/// How far two fits of the processor are apart, one of them with the rows in another order: of
/// predictions, relative to the largest.
double own_spread(const LinearProblem& problem, const Fit& here, const EngineOptions& options,
                  bool sparse) {
  LinearProblem other = problem;
  other.phi = problem.phi.colwise().reverse().eval();
  other.target.t = problem.target.t.reverse().eval();
  const Fit fit_of_other = fit(other, options, sparse, Device::cpu);
  const Vector expected = predictions(problem, here.posterior);
  return (predictions(problem, fit_of_other.posterior) - expected).lpNorm<Eigen::Infinity>() /
         expected.lpNorm<Eigen::Infinity>();
}

/// Predictions agree to 1e-8, and so does all else; but where a mode is found to a thousandth over
/// many stages no more closely than ten times what the processor makes of another order of rows.
void expect_the_same(const LinearProblem& problem, const EngineOptions& options, bool sparse,
                     bool large = false) {
  const Fit here = fit(problem, options, sparse, Device::cpu);
  const Fit there = fit(problem, options, sparse, Device::cuda);
  EXPECT_EQ(here.posterior.active, there.posterior.active);
  const double bound = large ? std::max(1e-8, 10 * own_spread(problem, here, options, sparse)) : 1e-8;
  const Vector expected = predictions(problem, here.posterior);
  const Vector difference = predictions(problem, there.posterior) - expected;
  EXPECT_LT(difference.lpNorm<Eigen::Infinity>(), bound * expected.lpNorm<Eigen::Infinity>());
  EXPECT_NEAR(there.posterior.log_evidence, here.posterior.log_evidence,
              1e-8 * std::abs(here.posterior.log_evidence));
  EXPECT_NEAR(there.posterior.noise_variance, here.posterior.noise_variance,
              1e-8 * here.posterior.noise_variance);
  ASSERT_EQ(here.posterior.variance.size(), there.posterior.variance.size());
  EXPECT_LT((there.posterior.variance - here.posterior.variance).norm(),
            bound * here.posterior.variance.norm());
  EXPECT_EQ(here.report.stages.size(), there.report.stages.size());
  EXPECT_EQ(here.report.status, there.report.status);
}

constexpr auto kClasses = Likelihood::bernoulli, kRegression = Likelihood::gaussian;

TEST(CardStages, SparseClassesAreTheProcessors) {
  expect_the_same(planted(120, 80, 0.2, kClasses, 1), {}, true);
}

TEST(CardStages, SparseRegressionIsTheProcessors) {
  expect_the_same(planted(120, 80, 0.2, kRegression, 2), {}, true);
}

TEST(CardStages, DenseDesigns) {
  expect_the_same(planted(100, 30, 1, kClasses, 3), {}, false);
  expect_the_same(planted(100, 30, 1, kRegression, 4), {}, false);
}

TEST(CardStages, WithoutABias) {
  expect_the_same(planted(120, 40, 0.3, kClasses, 5), {.bias = false}, true);
}

TEST(CardStages, RowsThatCountSeveralTimesOrNever) {
  LinearProblem problem = planted(120, 40, 0.3, kClasses, 6);
  problem.target.weights = Vector::Ones(120);
  problem.target.weights.head(30).setConstant(2.5);
  problem.target.weights.tail(10).setZero();
  expect_the_same(problem, {}, true);
}

TEST(CardStages, ColumnsHaveAPrice) {
  // More candidates than a stage may drop, so that the least valuable are looked for.
  const EngineOptions options{.support_prior = SupportChoice::beta_binomial, .candidates = 80};
  expect_the_same(planted(150, 80, 0.2, kClasses, 7), options, true);
  expect_the_same(planted(150, 80, 0.2, kRegression, 8), options, true);
}

TEST(CardStages, EveryStagesWeights) {
  const LinearProblem problem = planted(100, 40, 0.3, kClasses, 9);
  const EngineOptions options{.max_stages = 5, .keep_stages = true};
  const Fit here = fit(problem, options, true, Device::cpu);
  const Fit there = fit(problem, options, true, Device::cuda);
  ASSERT_EQ(here.report.path.size(), there.report.path.size());
  for (std::size_t s = 0; s < here.report.path.size(); ++s) {
    ASSERT_EQ(here.report.path[s].active, there.report.path[s].active);
    EXPECT_LT((here.report.path[s].mean - there.report.path[s].mean).norm(),
              1e-8 * here.report.path[s].mean.norm());
  }
}

TEST(CardStages, LargeFitsAreTheProcessors) {
  expect_the_same(planted(3000, 2500, 0.02, kClasses, 11), {}, true, true);
  expect_the_same(planted(3000, 2500, 0.02, kRegression, 12), {}, true, true);
  expect_the_same(planted(2000, 300, 1, kClasses, 13), {}, false, true);
}

TEST(CardStages, LargeFitsHaveTheSameBitsAgain) {
  const LinearProblem problem = planted(3000, 2500, 0.02, kClasses, 14);
  const Fit first = fit(problem, {}, true, Device::cuda);
  for (int again = 0; again < 3; ++again) {
    const Fit next = fit(problem, {}, true, Device::cuda);
    EXPECT_EQ(next.posterior.active, first.posterior.active);
    EXPECT_EQ(next.posterior.mean, first.posterior.mean);
    EXPECT_EQ(next.posterior.log_evidence, first.posterior.log_evidence);
  }
}

TEST(CardMemory, LargerThanTheCardsIsAClearError) {
  Card card;
  const std::size_t too_much = 2 * card.free_bytes() / sizeof(double);
  EXPECT_THAT([&] { CardArray<double>(card, too_much); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("memory is full")));
  EXPECT_EQ(CardArray<double>(card, 1000).size(), 1000u);  // it goes on
}

}  // namespace
}  // namespace ardent
