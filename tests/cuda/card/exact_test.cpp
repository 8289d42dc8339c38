// The exact engine on a card against the processor's.
#include "ardent/inference/engines/exact.h"

#include <gmock/gmock.h>

#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/cuda/accelerator_for.h"
#include "ardent/design/dense.h"
#include "ardent/inference/evidence/dual_space.h"
#include "ardent/inference/evidence/primal_space.h"
#include "problems/classification.h"
#include "problems/kernel_points.h"
#include "problems/regression.h"

namespace ardent {
namespace {

using problems::lazy_kernel;
using problems::planted_kernels;

/// One card for all tests.
std::shared_ptr<Accelerator> card() {
  static const std::shared_ptr<Accelerator> found = accelerator_for(Device::cuda);
  return found;
}

void expect_close(const Matrix& found, const Matrix& wanted, double tolerance) {
  ASSERT_EQ(found.rows(), wanted.rows());
  ASSERT_EQ(found.cols(), wanted.cols());
  const double scale = std::max(1e-300, wanted.cwiseAbs().maxCoeff());
  EXPECT_LE((found - wanted).cwiseAbs().maxCoeff() / scale, tolerance);
}

Matrix some_matrix(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  return problems::normal_matrix(rows, cols, random);
}

Vector positive(Index size, std::uint64_t seed) {
  Random random(seed);
  Vector v(size);
  for (double& value : v) value = random.uniform(0.1, 2);
  return v;
}

void expect_the_same_answers(const Design& found, const Design& wanted) {
  const Index n = wanted.rows(), m = wanted.cols();
  ASSERT_EQ(found.rows(), n);
  ASSERT_EQ(found.cols(), m);
  const Vector w = some_matrix(m, 1, 1), r = some_matrix(n, 1, 2);
  Vector own, other;
  found.multiply(w, own), wanted.multiply(w, other);
  expect_close(own, other, 1e-13);
  found.multiply_transposed(r, own), wanted.multiply_transposed(r, other);
  expect_close(own, other, 1e-13);
  found.weighted_square_norms(positive(n, 3), own),
      wanted.weighted_square_norms(positive(n, 3), other);
  expect_close(own, other, 1e-13);
  Matrix gram, other_gram;
  found.weighted_gram(positive(n, 4), gram), wanted.weighted_gram(positive(n, 4), other_gram);
  expect_close(gram, other_gram, 1e-13);
  EXPECT_EQ(gram, Matrix(gram.transpose()));
  found.weighted_outer(positive(m, 5), gram), wanted.weighted_outer(positive(m, 5), other_gram);
  expect_close(gram, other_gram, 1e-13);
  expect_close(found.columns(index_range(0, m)), wanted.columns(index_range(0, m)), 1e-14);
}

TEST(CardDesign, AnswersAsADenseDesign) {
  const DenseDesign here(some_matrix(70, 50, 6));
  auto there = card()->dense_design(here);
  expect_the_same_answers(*there, here);
  auto kept_here = here.clone();
  auto kept_there = there->clone();
  const std::vector<Index> few{1, 2, 7, 30, 49};
  for (Design* design : {kept_here.get(), kept_there.get()}) {
    design->scale_columns(positive(50, 7));
    design->keep(few);
  }
  expect_the_same_answers(*kept_there, *kept_here);
  expect_the_same_answers(*there, here);  // what the copy does is its own
  kept_there->keep({});
  Vector nothing(0), fitted;
  kept_there->multiply(nothing, fitted);
  EXPECT_EQ(fitted, Vector::Zero(70));
}

TEST(CardDesign, FormsAKernelOfPoints) {
  auto points = planted_kernels(300, 3, 0.5, 1, Likelihood::gaussian, 8);
  auto& rows = std::get<DenseRows>(points.x);
  std::vector<double> values(rows.values.begin(), rows.values.end());
  for (Index j = 0; j < 3; ++j) {
    values[3 + j] = values[j];         // a copy,
    values[6 + j] = values[j] + 1e-7;  // and one that is nearly one
  }
  rows.values = Buffer<double>::copy_of(values);
  const auto here = gaussian_kernel_design(points.x, points.x, 0.5);
  const auto there = card()->dense_design(*lazy_kernel(points.x, 0.5));
  const auto all = index_range(0, 300);
  const Matrix own = there->columns(all), other = here->columns(all);
  EXPECT_LE((own - other).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_EQ(own(0, 0), 1);
  EXPECT_EQ(own(0, 1), 1);
  EXPECT_LT(own(0, 2), 1);
  EXPECT_EQ(other(0, 2), own(0, 2));
  // Sparse points, which have another origin.
  const Features sparse = to_sparse(std::get<DenseRows>(points.x));
  const auto here_sparse = gaussian_kernel_design(sparse, sparse, 0.5);
  const auto there_sparse = card()->dense_design(*lazy_kernel(sparse, 0.5));
  EXPECT_LE((there_sparse->columns(all) - here_sparse->columns(all)).cwiseAbs().maxCoeff(), 1e-13);
}

/// All that a stage asks of a space.
void expect_the_same_space(WeightSpace& found, WeightSpace& wanted, const Vector& beta,
                           Index columns) {
  const Vector residual = some_matrix(beta.size(), 1, 9);
  for (WeightSpace* space : {&found, &wanted}) space->factor(beta);
  const Predictor step = found.newton_step(residual, found.constant(0.3)),
                  other = wanted.newton_step(residual, wanted.constant(0.3));
  expect_close(step.fitted, other.fitted, 1e-10);
  expect_close(found.weights(step), wanted.weights(other), 1e-10);
  EXPECT_NEAR(step.bias, other.bias, 1e-10 * std::max(1.0, std::abs(other.bias)));
  const Relevance own = found.relevance(), its = wanted.relevance();
  EXPECT_LE((own.gamma - its.gamma).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_NEAR(own.bias_gamma, its.bias_gamma, 1e-10);
  EXPECT_NEAR(found.log_determinant_ratio(), wanted.log_determinant_ratio(),
              1e-10 * std::max(1.0, wanted.log_determinant_ratio()));
  EXPECT_EQ(found.jitter(), wanted.jitter());
  if (columns > 1000) return;
  expect_close(found.covariance(), wanted.covariance(), 1e-10);
}

/// Columns beside the whole design, scaled.
struct Pair {
  std::unique_ptr<Design> here, there;
  Prior prior;

  Pair(Index rows, Index cols, bool bias) {
    DenseDesign phi(some_matrix(rows, cols + 3, 10));
    phi.scale_columns(positive(cols + 3, 11));
    there = card()->dense_design(phi);
    here = phi.clone();
    there->scale_columns(positive(cols + 3, 12));
    here->scale_columns(positive(cols + 3, 12));
    prior = {positive(cols, 13), bias, 1e-8};
  }
  void keep(Index cols) {
    for (Design* design : {here.get(), there.get()}) design->keep(index_range(2, cols + 2));
  }
};

class CardSpace : public testing::TestWithParam<std::tuple<Index, Index, bool>> {};

TEST_P(CardSpace, PrimalIsTheProcessors) {
  const auto [rows, cols, bias] = GetParam();
  Pair pair(rows, cols, bias);
  pair.keep(cols);
  PrimalSpace found(*pair.there, pair.prior,
                    card()->primal_matrices(*pair.there, pair.prior, nullptr)),
      wanted(*pair.here, pair.prior);
  expect_the_same_space(found, wanted, positive(rows, 14), cols);
  const Matrix covariance = found.covariance();
  EXPECT_TRUE(covariance == covariance.transpose());
}

TEST_P(CardSpace, PrimalOfAKeptGramMatrixIsTheProcessors) {
  const auto [rows, cols, bias] = GetParam();
  Pair pair(rows, cols, bias);
  const Vector counts = positive(rows, 15);
  {  // it is formed once, of all columns
    const Prior all{positive(cols + 3, 16), bias, 1e-8};
    card()->primal_matrices(*pair.there, all, &counts);
  }
  pair.keep(cols);
  PrimalSpace found(*pair.there, pair.prior,
                    card()->primal_matrices(*pair.there, pair.prior, &counts)),
      wanted(*pair.here, pair.prior);
  expect_the_same_space(found, wanted, counts / 0.3, cols);
}

TEST_P(CardSpace, DualIsTheProcessors) {
  const auto [rows, cols, bias] = GetParam();
  Pair pair(rows, cols, bias);
  pair.keep(cols);
  DualSpace found(*pair.there, pair.prior, card()->dual_matrices(*pair.there, pair.prior)),
      wanted(*pair.here, pair.prior);
  expect_the_same_space(found, wanted, positive(rows, 17), cols);
  const auto matrices = card()->dual_matrices(*pair.there, pair.prior);
  matrices->factor(positive(rows, 17));
  const Matrix products = matrices->half_solved_products();
  EXPECT_TRUE(products == products.transpose());
}

INSTANTIATE_TEST_SUITE_P(Shapes, CardSpace,
                         testing::Values(std::tuple(60, 40, true), std::tuple(60, 40, false),
                                         std::tuple(40, 90, true), std::tuple(40, 90, false),
                                         std::tuple(33, 1, true), std::tuple(300, 200, true)));
INSTANTIATE_TEST_SUITE_P(Large, CardSpace, testing::Values(std::tuple(2300, 2200, true)));

TEST(CardSpaces, DependentColumnsNeedTheProcessorsJitter) {
  Matrix phi = some_matrix(30, 6, 18);
  phi.col(5) = phi.col(4);
  const DenseDesign here(phi);
  const auto there = card()->dense_design(here);
  const Prior prior{Vector::Constant(6, 1e-18), true, 1e-18};
  PrimalSpace found(*there, prior, card()->primal_matrices(*there, prior, nullptr)),
      wanted(here, prior);
  for (WeightSpace* space :
       {static_cast<WeightSpace*>(&found), static_cast<WeightSpace*>(&wanted)}) {
    space->factor(Vector::Ones(30));
  }
  EXPECT_GT(wanted.jitter(), 0);
  EXPECT_EQ(found.jitter(), wanted.jitter());
}

Vector predictions(const Design& design, const Posterior& posterior) {
  return (design.columns(posterior.active) * posterior.mean).array() + posterior.bias;
}

/// As far as a fit is settled. Of a regression predictions are to 1e-8 of their size. A mode of
/// classes is one to the rounding of its objective, a relative 1e-16, which is some 1e-7 in f: rows
/// in another order change the processor's own probabilities by as much (test
/// TheProcessorAgreesWithItselfAsClosely).
void expect_the_same_predictions(const Vector& found, const Vector& wanted, Likelihood likelihood) {
  if (likelihood == Likelihood::gaussian) {
    expect_close(found, wanted, 1e-8);
    return;
  }
  const auto probabilities = [](const Vector& f) { return 1 / (1 + (-f.array()).exp()); };
  EXPECT_LE((probabilities(found) - probabilities(wanted)).abs().maxCoeff(), 1e-7);
}

/// The same columns, predictions, evidence and noise; the same bits from run to run.
void expect_the_same_fit(const Design& design, const Design& on_device, const Target& target,
                         EngineOptions options = {}) {
  const Fit here = fit_exact(design, target, options);
  options.accelerator = card();
  const Fit there = fit_exact(on_device, target, options);
  EXPECT_EQ(there.report.status, here.report.status);
  ASSERT_EQ(there.posterior.active, here.posterior.active);
  expect_the_same_predictions(predictions(design, there.posterior),
                              predictions(design, here.posterior), target.likelihood);
  EXPECT_NEAR(there.posterior.log_evidence, here.posterior.log_evidence,
              1e-8 * std::abs(here.posterior.log_evidence));
  EXPECT_NEAR(there.posterior.noise_variance, here.posterior.noise_variance,
              1e-8 * here.posterior.noise_variance);
  expect_close(there.posterior.covariance, here.posterior.covariance, 1e-6);
  const Fit again = fit_exact(on_device, target, options);
  EXPECT_EQ(again.posterior.mean, there.posterior.mean);
  EXPECT_EQ(again.posterior.covariance, there.posterior.covariance);
  EXPECT_EQ(again.posterior.log_evidence, there.posterior.log_evidence);
}

class CardExact : public testing::TestWithParam<Likelihood> {
 protected:
  Target linear_target(const Matrix& phi) const {
    Random random(20);
    Target target{GetParam(), Vector(phi.rows())};
    for (Index i = 0; i < phi.rows(); ++i) {
      const double f = 2 * phi(i, 0) - 2 * phi(i, 1) + phi(i, 2) + 0.3;
      target.t[i] = GetParam() == Likelihood::gaussian
                        ? f + 0.5 * random.normal()
                        : double(random.uniform() < 1 / (1 + std::exp(-f)));
    }
    return target;
  }
};

TEST_P(CardExact, LinearColumnsAsOnTheProcessor) {
  const Matrix phi = some_matrix(400, 30, 19);
  const DenseDesign design(phi);
  expect_the_same_fit(design, design, linear_target(phi));
  EngineOptions no_bias;
  no_bias.bias = false;
  expect_the_same_fit(design, design, linear_target(phi), no_bias);
}

TEST_P(CardExact, MoreColumnsThanRows) {
  const Matrix phi = some_matrix(80, 120, 21);
  const DenseDesign design(phi);
  expect_the_same_fit(design, design, linear_target(phi));
}

TEST_P(CardExact, WeightedRows) {
  const Matrix phi = some_matrix(300, 20, 22);
  const DenseDesign design(phi);
  Target target = linear_target(phi);
  target.weights = positive(300, 23);
  target.weights[7] = 0;
  expect_the_same_fit(design, design, target);
}

TEST_P(CardExact, ColumnsWithAPrice) {
  const Matrix phi = some_matrix(200, 60, 24);
  const DenseDesign design(phi);
  EngineOptions priced;
  priced.support_prior = SupportChoice::beta_binomial;
  priced.candidates = 60;
  expect_the_same_fit(design, design, linear_target(phi), priced);
}

TEST_P(CardExact, KernelsAsOnTheProcessor) {
  const double sigma = 0.5;
  const auto points = planted_kernels(400, 3, sigma, 6, GetParam(), 25);
  const auto design = gaussian_kernel_design(points.x, points.x, sigma);
  expect_the_same_fit(*design, *lazy_kernel(points.x, sigma), points.target);
}

TEST_P(CardExact, FromAStartingPoint) {
  const Matrix phi = some_matrix(200, 20, 26);
  const DenseDesign design(phi);
  EngineOptions options;
  options.starting_point = std::make_shared<const StartingPoint>(
      StartingPoint{{0, 1, 2, 9}, Vector::Constant(4, 0.5), Vector::Constant(4, 0.1), 0, 0.5});
  expect_the_same_fit(design, design, linear_target(phi), options);
}

TEST_P(CardExact, TheProcessorAgreesWithItselfAsClosely) {
  const Matrix phi = some_matrix(80, 120, 21);
  const Target target = linear_target(phi);
  std::vector<Index> order = index_range(0, 80);
  Random random(30);
  random.shuffle(order);
  const DenseDesign design(phi), shuffled(phi(order, Eigen::all));
  const Fit one = fit_exact(design, target),
            other = fit_exact(shuffled, {target.likelihood, target.t(order)});
  ASSERT_EQ(one.posterior.active, other.posterior.active);
  expect_the_same_predictions(predictions(design, one.posterior),
                              predictions(design, other.posterior), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Likelihoods, CardExact,
                         testing::Values(Likelihood::bernoulli, Likelihood::gaussian));

TEST(CardExactRefuses, WhatDoesNotFitIntoItsMemory) {
  const auto points = planted_kernels(300'000, 1, 0.5, 1, Likelihood::gaussian, 27);
  EngineOptions options;
  options.accelerator = card();
  EXPECT_THAT([&] { fit_exact(*lazy_kernel(points.x, 0.5), points.target, options); },
              testing::ThrowsMessage<InputError>(testing::AllOf(
                  testing::HasSubstr("GiB of the card's memory for a design of 300000 × 300000"),
                  testing::HasSubstr("fewer rows"))));
}

TEST(CardExactRefuses, ColumnsThatAreNoNumbers) {
  Matrix phi = some_matrix(30, 4, 28);
  phi(3, 2) = std::numeric_limits<double>::quiet_NaN();
  EngineOptions options;
  options.accelerator = card();
  EXPECT_THAT(
      [&] {
        fit_exact(DenseDesign(phi), {Likelihood::gaussian, phi.col(0)}, options);
      },
      testing::ThrowsMessage<InputError>(testing::HasSubstr("column 2")));
}

TEST(CardExactOf, AConstantTargetNeedsNoColumn) {
  const Matrix phi = some_matrix(30, 4, 29);
  EngineOptions options;
  options.accelerator = card();
  const Fit fit =
      fit_exact(DenseDesign(phi), {Likelihood::gaussian, Vector::Constant(30, 2)}, options);
  EXPECT_TRUE(fit.posterior.active.empty());
  EXPECT_EQ(fit.posterior.bias, 2);
}

}  // namespace
}  // namespace ardent
