// The engine shrinkage against plain loops over strengths and folds on dense matrices.
#include "ardent/inference/path/shrinkage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ardent/base/error.h"
#include "ardent/design/dense.h"
#include "ardent/inference/path/path_choice.h"
#include "ardent/inference/path/path_posterior.h"
#include "ardent/inference/path/strength_choice.h"
#include "problems/regression.h"
#include "tests/inference/path/dense_ridge.h"

namespace ardent {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

/// Σ log loss of the rows that `split` holds out, fitted on its others.
double loss_by_hand(const problems::Classification& problem, const Split& split, double alpha) {
  Vector known = Vector::Ones(problem.t.size());
  for (const Index i : split.test) known[i] = 0;
  const auto fit = dense_ridge::solve(problem.phi, problem.t, known, alpha);
  double sum = 0;
  for (const Index i : split.test) {
    const double f = problem.phi.row(i) * fit.w + fit.bias;
    sum += std::log1p(std::exp(problem.t[i] > 0.5 ? -f : f));
  }
  return sum;
}

StrengthChoice choice_of(const problems::Classification& problem,
                         const std::optional<double>& given = {}) {
  std::vector<std::string> warnings;
  const StandardProblem standard = with_callers_columns(
      DenseDesign(problem.phi), {Likelihood::bernoulli, problem.t}, {}, warnings);
  return choose_strength(standard.problem, 5, {}, {}, given);
}

TEST(Shrinkage, TheFoldsChooseAsAPlainLoopWould) {
  const auto problem = problems::planted_classification(150, 80, 80, 0.3, 1);
  const StrengthChoice choice = choice_of(problem);
  const auto folds = target_folds(Likelihood::bernoulli, problem.t, 5, EngineOptions().seed);
  const double unit = problem.phi.rowwise().squaredNorm().mean();
  std::vector<double> totals;
  for (std::size_t s = 0; s < choice.strengths.size(); ++s) {
    double total = 0;
    for (std::size_t k = 0; k < folds.size(); ++k) {
      const double by_hand = loss_by_hand(problem, folds[k], choice.strengths[s] * unit);
      EXPECT_NEAR(choice.scores[s][static_cast<Index>(k)], by_hand, 2e-3 * by_hand);
      total += by_hand;
    }
    totals.push_back(total);
    EXPECT_NEAR(std::log10(choice.strengths[s]), 2 - 0.5 * static_cast<double>(s), 1e-12);
  }
  const auto best = static_cast<std::size_t>(std::ranges::min_element(totals) - totals.begin());
  ASSERT_EQ(best + 3, totals.size()) << "two more strengths, then patience ends";
  ASSERT_GT(best, 0u);
  EXPECT_NEAR(choice.loss, totals[best] / 150, 2e-3 * choice.loss);
  const double found = std::log(choice.alpha / unit), middle = std::log(choice.strengths[best]);
  EXPECT_NEAR(found,
              middle - std::log(std::sqrt(10.0)) *
                           parabola_minimum(totals[best - 1], totals[best], totals[best + 1]),
              0.05);
}

TEST(Shrinkage, AGivenStrengthIsTheOnlyOneOfTheFolds) {
  const auto problem = problems::planted_classification(150, 80, 80, 0.3, 1);
  const StrengthChoice choice = choice_of(problem, 0.7);
  const auto folds = target_folds(Likelihood::bernoulli, problem.t, 5, EngineOptions().seed);
  const double unit = problem.phi.rowwise().squaredNorm().mean();
  EXPECT_EQ(choice.strength, 0.7);
  EXPECT_NEAR(choice.alpha, 0.7 * unit, 1e-9 * unit);
  ASSERT_EQ(choice.scores.size(), 1u);
  for (const Split& split : folds) {
    Vector known = Vector::Ones(150);
    for (const Index i : split.test) known[i] = 0;
    const auto fit = dense_ridge::solve(problem.phi, problem.t, known, choice.alpha);
    for (const Index i : split.test) {
      EXPECT_NEAR(choice.held_out[i], problem.phi.row(i) * fit.w + fit.bias, 0.02);
    }
  }
}

TEST(Shrinkage, AClassOfOneRowHasNoFoldsButAGivenStrength) {
  auto problem = problems::planted_classification(50, 10, 10, 0.3, 1);
  problem.t.setZero();
  problem.t[7] = 1;
  const ShrinkageOnFolds found = fit_shrinkage_on_folds(
      DenseDesign(problem.phi), {Likelihood::bernoulli, problem.t}, {}, {}, 2.0);
  const Posterior& posterior = found.fit.posterior;
  const double unit = problem.phi.rowwise().squaredNorm().mean();
  EXPECT_NEAR(posterior.alpha[0], 2 * unit, 1e-9 * unit);
  const auto wanted = dense_ridge::solve(problem.phi, problem.t, Vector::Ones(50), 2 * unit);
  EXPECT_LT((posterior.mean - wanted.w).norm(), 1e-6 * wanted.w.norm());
  for (const double f : found.held_out) EXPECT_NEAR(f, std::log(1.0 / 49), 1e-12);
  EXPECT_THROW(choice_of(problem), InputError);
}

TEST(Shrinkage, AParabolasMinimum) {
  const auto parabola = [](double x) { return 3 + 2 * (x - 0.3) * (x - 0.3); };
  EXPECT_NEAR(parabola_minimum(parabola(-1), parabola(0), parabola(1)), 0.3, 1e-12);
  EXPECT_EQ(parabola_minimum(1, 1, 1), 0);
}

TEST(Shrinkage, ItsWeightsAreThoseOfOnePenaltyForAll) {
  const auto problem = problems::planted_classification(200, 40, 20, 0.5, 2);
  const Fit fit = fit_shrinkage(DenseDesign(problem.phi), {Likelihood::bernoulli, problem.t});
  const Posterior& posterior = fit.posterior;
  ASSERT_EQ(posterior.active.size(), 40u) << "nothing is selected";
  EXPECT_EQ(posterior.alpha.minCoeff(), posterior.alpha.maxCoeff());
  const auto wanted =
      dense_ridge::solve(problem.phi, problem.t, Vector::Ones(200), posterior.alpha[0]);
  EXPECT_LT((posterior.mean - wanted.w).norm(), 1e-6 * wanted.w.norm());
  EXPECT_NEAR(posterior.bias, wanted.bias, 1e-6);
  EXPECT_TRUE(posterior.plug_in);
  EXPECT_EQ(fit.report.status, Status::converged);
  EXPECT_THAT(fit.report.notes, Contains(HasSubstr("shrinkage: one precision")));
}

TEST(Shrinkage, UnitsOfTheColumnsDoNotMatterTogether) {
  const auto problem = problems::planted_classification(120, 30, 10, 0.7, 3);
  const Target target{Likelihood::bernoulli, problem.t};
  const Posterior one = fit_shrinkage(DenseDesign(problem.phi), target).posterior;
  const Posterior large = fit_shrinkage(DenseDesign(1e4 * problem.phi), target).posterior;
  EXPECT_LT((one.mean - 1e4 * large.mean).norm(), 1e-5 * one.mean.norm());
}

TEST(Shrinkage, PureNoiseIsShrunkAway) {
  double loss = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    auto problem = problems::planted_classification(100, 200, 1, 0.0, seed);
    loss += choice_of(problem).loss / 10;
  }
  EXPECT_NEAR(loss, std::log(2), 0.02);
}

/// Σ squared error of the rows that `split` holds out, by the normal equations of its others.
double squares_by_hand(const problems::Regression& problem, const Split& split, double alpha) {
  const Index m = problem.phi.cols();
  Matrix x(problem.t.size(), m + 1);
  x << problem.phi, Vector::Ones(problem.t.size());
  const Matrix known = x(split.train, Eigen::all);
  Matrix h = known.transpose() * known;
  h.diagonal().head(m).array() += alpha;
  const Vector w = h.ldlt().solve(known.transpose() * Vector(problem.t(split.train)));
  return (problem.t(split.test) - x(split.test, Eigen::all) * w).squaredNorm();
}

TEST(Shrinkage, ARegressionsFoldsChooseAsAPlainLoopWould) {
  const auto problem = problems::planted_regression(80, 60, 60, 4, 1);
  const Target target{Likelihood::gaussian, problem.t};
  const ShrinkageOnFolds found = fit_shrinkage_on_folds(DenseDesign(problem.phi), target);
  const auto folds = target_folds(Likelihood::gaussian, problem.t, 5, EngineOptions().seed);
  const double unit = problem.phi.rowwise().squaredNorm().mean();
  const auto total = [&](double strength) {
    double sum = 0;
    for (const Split& fold : folds) sum += squares_by_hand(problem, fold, strength * unit);
    return sum;
  };
  for (const double factor : {0.5, 2.0}) {
    EXPECT_LT(total(found.strength), total(factor * found.strength));
  }
  EXPECT_NEAR(found.by_row.sum(), std::accumulate(found.losses.begin(), found.losses.end(), 0.0),
              1e-9 * found.by_row.sum());
  EXPECT_NEAR(found.by_row.sum(), total(found.strength), 0.1 * found.by_row.sum());
  const Posterior& posterior = found.fit.posterior;
  ASSERT_EQ(posterior.active.size(), 60u) << "nothing is selected";
  const double held_out = found.by_row.sum() / 80;
  EXPECT_NEAR(posterior.noise_variance * (1 + posterior.gamma.sum() / 80), held_out,
              1e-9 * held_out)
      << "the noise is not below what held-out rows show";
}

}  // namespace
}  // namespace ardent
