#include "ardent/inference/doubly_sparse/scale_move.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ardent/base/error.h"
#include "ardent/inference/doubly_sparse/collapsed_sampler.h"
#include "ardent/inference/doubly_sparse/slice_step.h"
#include "enumerated_posterior.h"

namespace ardent::doubly_sparse {
namespace {

double normal_log_density(double x, double variance) {
  return -0.5 * std::log(2 * std::numbers::pi * variance) - 0.5 * x * x / variance;
}

/// Density of ξ itself, normalised.
double xi_log_density(const ScalePrior& prior, double xi) {
  if (prior.kind == ScalePriorKind::gamma) return -xi;
  return normal_log_density(std::log(xi) - prior.log_centre, prior.sd * prior.sd) - std::log(xi);
}

class ScalePriorTest : public testing::TestWithParam<ScalePriorKind> {
 protected:
  ScalePrior prior() const { return {GetParam(), std::log(0.03), 0.8}; }
};

TEST_P(ScalePriorTest, DensityAlongScalesIsTheJointTimesTheJacobian) {
  const KernelProblem problem = brute_force::tiny_problem(9, 2, 3, Likelihood::bernoulli, 2);
  const Matrix k = brute_force::kernel_columns(problem, {1, 1}, {1, 0, 1}, 0.4, false);
  const Vector alpha = (Vector(2) << 3.1, -1.7).finished();
  for (const bool bias : {true, false}) {
    const double b = bias ? 0.8 : 0, xi = 0.07;
    const Vector f = (k * alpha).array() + b;
    const ScalePrior xi_prior = prior();
    const auto joint = [&](double s) {
      const double c = std::exp(s), scaled_xi = xi / (c * c);
      double sum = xi_log_density(xi_prior, scaled_xi);
      for (const double weight : alpha) sum += normal_log_density(c * weight, 1 / scaled_xi);
      if (bias) sum += normal_log_density(c * b, 1 / kBiasPrecision);
      for (Index i = 0; i < f.size(); ++i) {
        sum -= std::log1p(std::exp((problem.t[i] > 0 ? -1 : 1) * c * f[i]));
      }
      return sum + (2 + (bias ? 1 : 0) - 2) * s;  // the Jacobian
    };
    const ScaleMove move{problem.t, f, xi_prior, std::log(xi), b, bias};
    for (const double s : {-1.3, -0.2, 0.4, 1.1}) {
      EXPECT_NEAR(move.log_density(s) - move.log_density(0), joint(s) - joint(0), 1e-10);
    }
  }
}

TEST_P(ScalePriorTest, EvidenceAtAnotherScaleEqualsTheIntegral) {
  const KernelProblem problem = brute_force::tiny_problem(9, 2, 3, Likelihood::bernoulli, 2);
  const Vector omega = Vector::LinSpaced(9, 0.05, 0.25), kappa = problem.t.array() - 0.5;
  CollapsedColumns columns(problem, true);
  columns.start({.features = {1, 0}, .basis = {0, 2}, .alpha = {}, .delta = 0.4, .xi = 0.05});
  columns.set_weights_and_target(omega, kappa);
  const Matrix k = brute_force::kernel_columns(problem, {1, 0}, {1, 0, 1}, 0.4, true);
  for (const double xi : {1e-3, 0.05, 7.0}) {
    const double exact =
        brute_force::collapsed_evidence(k, brute_force::precisions(3, xi, true), omega, kappa);
    EXPECT_NEAR(columns.evidence_at(xi).value(), exact, 1e-10);
    columns.set_xi(xi);
    EXPECT_NEAR(columns.evidence().value(), exact, 1e-10);
    EXPECT_EQ(columns.xi(), xi);
  }
}

/// Inclusion probabilities of the masks and, last, the mean of log ξ, by quadrature in log ξ.
Vector exact_with_scale(const KernelProblem& problem, const ScalePrior& prior, bool bias) {
  const MaskPrior mask_prior{MaskPriorKind::independent, 1.2, 2};
  const Vector grid = Vector::LinSpaced(25, -9, 2.5);
  const auto nodes = brute_force::normal_nodes();
  Vector sums = Vector::Zero(5);
  double total = 0;
  for (Index code = 0; code < 16; ++code) {
    const auto zeta = brute_force::mask_of(code, 2), z = brute_force::mask_of(code >> 2, 2);
    const Matrix k = brute_force::kernel_columns(problem, zeta, z, 0.5, bias);
    for (const double x : grid) {
      const Vector precision = brute_force::precisions(k.cols(), std::exp(x), bias);
      const double p =
          std::exp(brute_force::logistic_evidence(k, precision, problem.t, nodes) +
                   mask_prior.log_probability(brute_force::count_on(zeta)) +
                   mask_prior.log_probability(brute_force::count_on(z)) + prior.log_density(x));
      total += p;
      for (Index e = 0; e < 4; ++e) sums[e] += (code >> e) & 1 ? p : 0;
      sums[4] += p * x;
    }
  }
  return sums / total;
}

TEST_P(ScalePriorTest, LogisticChainWithItsScaleSampledAgreesWithEnumeration) {
  const KernelProblem problem = brute_force::tiny_problem(12, 2, 2, Likelihood::bernoulli, 5);
  for (const bool bias : {true, false}) {
    const Vector exact = exact_with_scale(problem, prior(), bias);
    for (const Index refreshes : {0, 2}) {
      CollapsedSampler sampler(problem, {.feature_a = 1.2,
                                         .basis_a = 1.2,
                                         .bias = bias,
                                         .sample_delta = false,
                                         .delta = 0.5,
                                         .xi = 0.03,
                                         .xi_prior = GetParam(),
                                         .xi_sd = 0.8,
                                         .refreshes = refreshes,
                                         .basis_moves = 4});
      Random random(3);
      KernelState state = sampler.start(1, random);
      double step = 1;
      constexpr Index kSweeps = 10000;
      Matrix draws(kSweeps, 5);
      for (Index s = -200; s < kSweeps; ++s) {
        sampler.sweep(state, step, false, random);
        if (s < 0) continue;
        Matrix masks(1, 4);
        brute_force::record(state, masks, 0);
        draws.row(s) << masks, std::log(state.xi);
      }
      const auto chain = brute_force::batch_means(draws);
      for (Index e = 0; e < 5; ++e) {
        EXPECT_NEAR(chain.mean[e], exact[e], 3.5 * chain.error[e])
            << "element " << e << ", bias " << bias << ", refreshes " << refreshes;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Priors, ScalePriorTest,
                         testing::Values(ScalePriorKind::log_normal, ScalePriorKind::gamma));

TEST(ScalePrior, HasNames) {
  EXPECT_EQ(parse_scale_prior("log-normal"), ScalePriorKind::log_normal);
  EXPECT_EQ(parse_scale_prior("gamma"), ScalePriorKind::gamma);
  EXPECT_THROW(parse_scale_prior("flat"), InputError);
}

TEST(SliceStep, LeavesAStandardNormalAsItIs) {
  for (const double width : {0.2, 1.0, 30.0}) {
    Random random(7);
    constexpr int kSteps = 40000;
    double x = 0, mean = 0, square = 0, fourth = 0;
    for (int i = 0; i < kSteps; ++i) {
      x = slice_step(
          x, width, [](double y) { return -0.5 * y * y; }, random);
      mean += x / kSteps;
      square += x * x / kSteps;
      fourth += x * x * x * x / kSteps;
    }
    // Steps are correlated: with the narrow width some ten of them count as one.
    const double error = 4 / std::sqrt(kSteps / 12.0);
    EXPECT_NEAR(mean, 0, error) << width;
    EXPECT_NEAR(square, 1, std::sqrt(2) * error) << width;
    EXPECT_NEAR(fourth, 3, std::sqrt(96) * error) << width;
  }
}

}  // namespace
}  // namespace ardent::doubly_sparse
