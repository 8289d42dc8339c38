// The price of a column: against closed forms and enumerated supports.
#include "ardent/inference/evidence/support_prior.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ardent/design/dense.h"
#include "ardent/inference/engines/diagonal.h"
#include "ardent/inference/evidence/support_pruning.h"
#include "inference/fit_dense.h"
#include "problems/regression.h"

namespace ardent {
namespace {

double candidates_of(const Matrix& phi, bool bias = true) {
  return effective_candidates(DenseDesign(phi), Vector::Ones(phi.rows()), bias);
}

Matrix normal(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  return problems::normal_matrix(rows, cols, random);
}

TEST(SupportPrior, IsTheBetaBinomialUpToHalfOfTheCandidates) {
  const SupportPrior prior(40);
  for (Index k = 0; k <= 20; ++k) {
    const double log_choose = std::lgamma(41.0) - std::lgamma(k + 1.0) - std::lgamma(41.0 - k);
    EXPECT_NEAR(prior.log_probability(k), -log_choose, 1e-10);
  }
  EXPECT_EQ(prior.log_probability(35), prior.log_probability(20));
  EXPECT_EQ(prior.cost(20), 0);
  EXPECT_EQ(SupportPrior().cost(0), 0);
}

TEST(SupportPrior, CandidatesOfOrthogonalColumnsAreTheirNumber) {
  Matrix phi = Matrix::Zero(64, 10);
  for (Index k = 0; k < 10; ++k) phi.col(k).segment(4 * k, 4) << 1, -1, 2, -2;
  EXPECT_NEAR(candidates_of(phi), 10, 1e-9);
  phi.array() += 3;  // means are taken off
  EXPECT_NEAR(candidates_of(phi), 10, 1e-6);
}

TEST(SupportPrior, CandidatesOfCopiesAreOne) {
  const Vector column = normal(50, 1, 1);
  EXPECT_NEAR(candidates_of(column.replicate(1, 30)), 1, 1e-9);
  EXPECT_NEAR(candidates_of(column.replicate(1, 80)), 1,
              1e-9);  // the other side of the Gram matrix
}

TEST(SupportPrior, CandidatesOfIndependentColumnsAreAboutTheirNumber) {
  EXPECT_NEAR(candidates_of(normal(200, 50, 2)), 50, 3);
  EXPECT_NEAR(candidates_of(normal(60, 300, 3)), 300, 60);
  // Ten columns, five times each.
  EXPECT_NEAR(candidates_of(normal(400, 10, 4).replicate(1, 5)), 10, 1);
}

TEST(SupportPrior, ProbesAgreeWithTheGramMatrix) {
  // Beyond 1e10 multiplications the trace is estimated.
  const Matrix ten = normal(3000, 20, 5);
  EXPECT_NEAR(candidates_of(ten.replicate(1, 100)), 20, 5);
}

TEST(SupportPrior, KernelsCountAsFewUnlessTheyAreNarrow) {
  const auto kernel = [](double width) {
    const Vector x = Vector::LinSpaced(100, -10, 10);
    Matrix phi(100, 100);
    for (Index i = 0; i < 100; ++i) {
      phi.col(i) = (-(x.array() - x[i]).square() / (width * width)).exp();
    }
    return phi;
  };
  EXPECT_LT(candidates_of(kernel(10)), 5);
  EXPECT_GT(candidates_of(kernel(0.1)), 80);
}

/// The evidence of a bias alone, under its prior of precision 1e-8 in units of the target's
/// variance, with the noise at its best.
double evidence_of_bias(const Vector& t) {
  const auto n = static_cast<double>(t.size());
  const double squares = (t.array() - t.mean()).square().sum(), noise = squares / (n - 1);
  const double spread = noise + n * 1e8 * squares / n;
  return -0.5 *
         (n * std::log(2 * M_PI) + (n - 1) * std::log(noise) + std::log(spread) + squares / noise);
}

/// The support of the highest evidence + log prior among all of them, every precision at its
/// best; it may be empty.
std::vector<Index> best_of_all_supports(const problems::Regression& problem,
                                        const SupportPrior& prior) {
  const Index p = problem.phi.cols();
  double best = evidence_of_bias(problem.t);
  std::vector<Index> winner;
  for (unsigned bits = 1; bits < (1u << p); ++bits) {
    std::vector<Index> columns;
    for (Index k = 0; k < p; ++k) {
      if (bits >> k & 1) columns.push_back(k);
    }
    const Fit fit = exact_regress(problem.phi(Eigen::all, columns), problem.t);
    if (fit.posterior.active.size() < columns.size()) continue;  // a smaller support has it
    const double objective =
        fit.posterior.log_evidence + prior.log_probability(static_cast<Index>(columns.size()));
    if (objective > best) {
      best = objective;
      winner = columns;
    }
  }
  return winner;
}

/// What a fit stands for: `stalled` holds one column that says nothing.
std::vector<Index> support_of(const Fit& fit) {
  return fit.report.status == Status::stalled ? std::vector<Index>{} : fit.posterior.active;
}

TEST(SupportPrior, EnginesFindTheBestOfAllSupports) {
  int differ = 0, found = 0, empty = 0;
  for (std::uint64_t seed = 100; seed < 112; ++seed) {
    const auto problem = problems::planted_regression(25, 11, 2, 1.2, seed);
    const SupportPrior prior(11);
    ASSERT_TRUE(prior.matters());
    const auto wanted = best_of_all_supports(problem, prior);
    const EngineOptions priced{.support_prior = SupportChoice::beta_binomial, .candidates = 11};
    // Growing one column at a time may miss a pair of them.
    found += support_of(sequential_regress(problem.phi, problem.t, priced)) == wanted ? 1 : 0;
    EXPECT_EQ(support_of(exact_regress(problem.phi, problem.t, priced)), wanted) << seed;
    differ += support_of(exact_regress(problem.phi, problem.t)) != wanted ? 1 : 0;
    empty += wanted.empty() ? 1 : 0;
  }
  EXPECT_GE(found, 9);
  EXPECT_GE(differ, 9);  // the evidence alone keeps more: the prior did something
  EXPECT_GE(empty, 1);
  EXPECT_LE(empty, 3);
}

TEST(SupportPrior, PureNoiseKeepsAtMostOneColumn) {
  const EngineOptions priced{.support_prior = SupportChoice::beta_binomial};
  std::size_t exact = 0, sequential = 0, diagonal = 0, alone = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Matrix phi = normal(50, 100, 20 + seed);
    const Vector t = normal(50, 1, 40 + seed);
    exact += exact_regress(phi, t, priced).posterior.active.size();
    sequential += sequential_regress(phi, t, priced).posterior.active.size();
    diagonal +=
        fit_diagonal(DenseDesign(phi), {Likelihood::gaussian, t}, priced).posterior.active.size();
    alone += exact_regress(phi, t).posterior.active.size();
  }
  EXPECT_LE(exact, 6u);
  EXPECT_LE(sequential, 6u);
  EXPECT_LE(diagonal, 10u);
  EXPECT_GE(alone, 100u);
}

TEST(SupportPrior, PlantedColumnsAreFoundAmongMany) {
  const EngineOptions priced{.support_prior = SupportChoice::beta_binomial};
  const auto regression = problems::planted_regression(200, 500, 6, 0.5, 7);
  const auto classes = problems::planted_classification(400, 300, 4, 2.0, 8);
  const std::vector<Index> six{0, 1, 2, 3, 4, 5}, four{0, 1, 2, 3};
  EXPECT_EQ(exact_regress(regression.phi, regression.t, priced).posterior.active, six);
  EXPECT_EQ(sequential_regress(regression.phi, regression.t, priced).posterior.active, six);
  EXPECT_EQ(fit_diagonal(DenseDesign(regression.phi), {Likelihood::gaussian, regression.t}, priced)
                .posterior.active,
            six);
  EXPECT_EQ(exact_classify(classes.phi, classes.t, priced).posterior.active, four);
  EXPECT_EQ(sequential_classify(classes.phi, classes.t, priced).posterior.active, four);
  EXPECT_EQ(fit_diagonal(DenseDesign(classes.phi), {Likelihood::bernoulli, classes.t}, priced)
                .posterior.active,
            four);
}

TEST(SupportPrior, WideKernelsAreLeftAlone) {
  const auto problem = problems::sinc_regression(100, 0.05, 9);
  const EngineOptions priced{.support_prior = SupportChoice::beta_binomial};
  const Fit alone = exact_regress(problem.phi, problem.t);
  const Fit with = exact_regress(problem.phi, problem.t, priced);
  EXPECT_LT(candidates_of(problem.phi), 25);
  EXPECT_LE(with.posterior.active.size(), alone.posterior.active.size());
  EXPECT_NEAR(with.posterior.noise_variance / alone.posterior.noise_variance, 1, 0.2);
}

TEST(SupportPruning, DropsOnlyWhatRaisesTheObjective) {
  EXPECT_EQ(best_gain(0.5), 0);
  EXPECT_DOUBLE_EQ(best_gain(std::exp(2.0)), (std::exp(2.0) - 3) / 2);
}

}  // namespace
}  // namespace ardent
