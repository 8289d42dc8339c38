// Whole fits of the exact engine on a card against the processor's.
#include "ardent/inference/engines/exact.h"

#include <gmock/gmock.h>

#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/design/dense.h"
#include "cuda/card/card_and_processor.h"
#include "problems/kernel_points.h"

namespace ardent {
namespace {

using on_card::card;
using on_card::expect_close;
using on_card::positive;
using on_card::some_matrix;
using problems::lazy_kernel;
using problems::planted_kernels;

Vector predictions(const Design& design, const Posterior& posterior) {
  return (design.columns(posterior.active) * posterior.mean).array() + posterior.bias;
}

Vector probabilities(const Vector& f) {
  return 1 / (1 + (-f.array()).exp());
}

/// A mode of classes is one to the rounding of its objective: how far the processor's own
/// probabilities move when the rows come in another order. 0 where they are of other columns then.
double own_spread(const Design& design, const Fit& here, const Target& target,
                  const EngineOptions& options) {
  std::vector<Index> order = index_range(0, design.rows());
  Random random(30);
  random.shuffle(order);
  const Matrix phi = design.columns(index_range(0, design.cols()));
  const DenseDesign shuffled(phi(order, Eigen::all));
  Target other = target;
  other.t = Vector(target.t(order));
  if (target.weights.size() > 0) other.weights = Vector(target.weights(order));
  const Fit fit = fit_exact(shuffled, other, options);
  if (fit.posterior.active != here.posterior.active) return 0;
  return (probabilities(predictions(design, fit.posterior)) -
          probabilities(predictions(design, here.posterior)))
      .cwiseAbs()
      .maxCoeff();
}

/// Of a regression to 1e-8 of their size. Probabilities to 1e-8, or to ten times what the processor
/// itself agrees to.
void expect_the_same_predictions(const Design& design, const Fit& there, const Fit& here,
                                 const Target& target, const EngineOptions& options) {
  const Vector found = predictions(design, there.posterior),
               wanted = predictions(design, here.posterior);
  if (target.likelihood == Likelihood::gaussian) {
    expect_close(found, wanted, 1e-8);
    return;
  }
  EXPECT_LE((probabilities(found) - probabilities(wanted)).cwiseAbs().maxCoeff(),
            std::max(1e-8, 10 * own_spread(design, here, target, options)));
}

/// The same columns, predictions, evidence and noise; the same bits from run to run.
void expect_the_same_fit(const Design& design, const Design& on_device, const Target& target,
                         EngineOptions options = {}) {
  const Fit here = fit_exact(design, target, options);
  const EngineOptions on_processor = options;
  options.accelerator = card();
  const Fit there = fit_exact(on_device, target, options);
  EXPECT_EQ(there.report.status, here.report.status);
  ASSERT_EQ(there.posterior.active, here.posterior.active);
  expect_the_same_predictions(design, there, here, target, on_processor);
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
