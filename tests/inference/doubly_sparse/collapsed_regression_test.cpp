#include <gtest/gtest.h>

#include <cmath>

#include "inclusion_of_chains.h"

namespace ardent::doubly_sparse {
namespace {

using brute_force::count_on;

/// Posterior of the Gaussian model with δ, ξ and σ² integrated out on grids of their logarithms.
Vector regression_inclusion(const KernelProblem& problem, double delta0, double delta_sd,
                            const ScalePrior& xi_prior) {
  const MaskPrior zeta_prior{MaskPriorKind::independent, 1, 2},
      z_prior{MaskPriorKind::independent, 1.5, 3};
  const auto grid = [](double low, double high, int count) {
    return Vector::LinSpaced(count, low, high);
  };
  const Vector log_delta =
      grid(std::log(delta0) - 4 * delta_sd, std::log(delta0) + 4 * delta_sd, 24);
  const Vector log_xi = grid(-8, 3, 24);
  const Vector log_noise = grid(-4.5, 4.5, 24);
  return brute_force::enumerate_inclusion(2, 3, [&](const auto& zeta, const auto& z) {
    double sum = 0;
    for (const double d : log_delta) {
      const Matrix k = brute_force::kernel_columns(problem, zeta, z, std::exp(d), true);
      // In the space of the weights, for speed: Q = P + KᵀK/σ².
      const Matrix gram = k.transpose() * k;
      const Vector v = k.transpose() * problem.t;
      const double log_delta_prior = -0.5 * std::pow((d - std::log(delta0)) / delta_sd, 2);
      for (const double x : log_xi) {
        const Vector p = brute_force::precisions(k.cols(), std::exp(x), true);
        for (const double s : log_noise) {
          const double noise = std::exp(s), n = static_cast<double>(problem.size());
          const Eigen::LLT<Matrix> llt(Matrix(p.asDiagonal()) + gram / noise);
          const Vector half = llt.matrixL().solve(v) / noise;
          const double evidence =
              -0.5 * n * s - 0.5 * problem.t.squaredNorm() / noise + 0.5 * p.array().log().sum() -
              llt.matrixLLT().diagonal().array().log().sum() + 0.5 * half.squaredNorm();
          // InvGamma(1e-3, 1e-3) of σ², too, as a density of its logarithm.
          const double log_prior = xi_prior.log_density(x) - 1e-3 * s - 1e-3 / noise;
          sum += std::exp(evidence + log_prior + log_delta_prior);
        }
      }
    }
    return std::log(sum) + zeta_prior.log_probability(count_on(zeta)) +
           z_prior.log_probability(count_on(z));
  });
}

TEST(CollapsedSampler, RegressionChainWithEverythingSampledAgreesWithEnumeration) {
  const KernelProblem problem = brute_force::tiny_problem(9, 2, 3, Likelihood::gaussian, 3);
  CollapsedOptions options{
      .feature_a = 1, .basis_a = 1.5, .delta = 0.5, .delta_sd = 0.7, .basis_moves = 6};
  options.xi_prior = ScalePriorKind::gamma;
  const Vector gamma = regression_inclusion(problem, 0.5, 0.7, {.kind = ScalePriorKind::gamma});
  expect_inclusion(problem, options, 20000, gamma);
  options.rescaled_flips = true;
  expect_inclusion(problem, options, 20000, gamma);
  // Visited by guesses: features that are hardly ever proposed to go on, or off.
  expect_inclusion(problem, options, 20000, gamma, Eigen::Vector2d(0.03, 0.9));
  expect_inclusion(problem, as_in_version_0_1(options), 60000, gamma);
  options.xi_prior = ScalePriorKind::log_normal;
  options.xi = 0.2;
  options.xi_sd = 0.8;
  const ScalePrior log_normal{ScalePriorKind::log_normal, std::log(0.2), 0.8};
  expect_inclusion(problem, options, 20000, regression_inclusion(problem, 0.5, 0.7, log_normal));
}

TEST(CollapsedSampler, RegressionRowsOfWeightsCountAsOftenAsTheySay) {
  KernelProblem problem = brute_force::tiny_problem(9, 2, 3, Likelihood::gaussian, 3);
  problem.weights = Vector(9);
  problem.weights << 1, 2, 1, 3, 1, 4, 1, 2, 1;
  CollapsedOptions options{
      .feature_a = 1, .basis_a = 1.5, .delta = 0.5, .delta_sd = 0.7, .basis_moves = 6};
  options.xi_prior = ScalePriorKind::gamma;
  const Vector exact =
      regression_inclusion(repeated(problem), 0.5, 0.7, {.kind = ScalePriorKind::gamma});
  expect_inclusion(problem, options, 20000, exact);
}

/// The same with δ and ξ fixed, and a width of its own for each feature, on grids of log s.
Vector inclusion_with_widths(const KernelProblem& problem, double delta, double width_sd,
                             double xi) {
  const MaskPrior zeta_prior{MaskPriorKind::independent, 1, 2},
      z_prior{MaskPriorKind::independent, 1.5, 3};
  const Vector grid = Vector::LinSpaced(17, -4, 4);
  const Vector log_noise = Vector::LinSpaced(24, -4.5, 4.5);
  return brute_force::enumerate_inclusion(2, 3, [&](const auto& zeta, const auto& z) {
    double sum = 0;
    for (const double first : grid) {
      for (const double second : grid) {
        const Vector scales = (width_sd * Vector(Eigen::Vector2d(first, second))).array().exp();
        const Matrix k = brute_force::kernel_columns(problem, zeta, z, delta, true, scales);
        const Vector p = brute_force::precisions(k.cols(), xi, true);
        const double widths = -0.5 * (first * first + second * second);
        for (const double s : log_noise) {
          sum += std::exp(brute_force::gaussian_evidence(k, p, problem.t, std::exp(s)) + widths -
                          1e-3 * s - 1e-3 / std::exp(s));
        }
      }
    }
    return std::log(sum) + zeta_prior.log_probability(count_on(zeta)) +
           z_prior.log_probability(count_on(z));
  });
}

TEST(CollapsedSampler, RegressionWithAWidthForEachFeatureAgreesWithEnumeration) {
  const KernelProblem problem = brute_force::tiny_problem(9, 2, 3, Likelihood::gaussian, 3);
  CollapsedOptions options{.feature_a = 1,
                           .basis_a = 1.5,
                           .sample_delta = false,
                           .delta = 0.5,
                           .width_sd = 1.2,
                           .sample_xi = false,
                           .xi = 0.5,
                           .basis_moves = 6};
  const Vector exact = inclusion_with_widths(problem, 0.5, 1.2, 0.5);
  const Vector one_width = inclusion_with_widths(problem, 0.5, 0, 0.5);
  EXPECT_GT((exact - one_width).cwiseAbs().maxCoeff(), 0.03);
  expect_inclusion(problem, options, 20000, exact);
  expect_inclusion(problem, options, 20000, exact, Eigen::Vector2d(0.1, 0.9));
}

/// One feature with a width of its own beside a fixed δ is a δ that is sampled.
TEST(CollapsedSampler, OneWidthOfItsOwnIsASampledDelta) {
  const KernelProblem problem = brute_force::tiny_problem(12, 1, 3, Likelihood::gaussian, 6);
  const auto mean_log_width = [&](bool own) {
    CollapsedOptions options{.select_features = false, .sample_delta = !own, .delta = 0.5};
    (own ? options.width_sd : options.delta_sd) = 0.8;
    options.basis_moves = 6;
    CollapsedSampler sampler(problem, options);
    Random random(4);
    KernelState state = sampler.start(2, random);
    double step = 1;
    Matrix draws(10000, 1);
    for (Index s = -200; s < draws.rows(); ++s) {
      sampler.sweep(state, step, s < 0, random);
      if (s >= 0) draws(s, 0) = std::log(state.delta * state.scale(0));
    }
    return brute_force::batch_means(draws);
  };
  const auto own = mean_log_width(true), sampled = mean_log_width(false);
  EXPECT_NEAR(own.mean[0], sampled.mean[0], 3 * std::hypot(own.error[0], sampled.error[0]));
  EXPECT_LT(own.error[0], 0.05);
}

/// A prior that wants weights of 1e10 spreads of the targets, where rounding would decide.
TEST(CollapsedSampler, RegressionStopsWhereRoundingWouldDecide) {
  const KernelProblem problem = brute_force::tiny_problem(12, 2, 6, Likelihood::gaussian, 3);
  const CollapsedOptions options{.xi = 1e-20};
  for (const bool as_now : {true, false}) {
    CollapsedSampler sampler(problem, as_now ? options : as_in_version_0_1(options));
    Random random(9);
    KernelState state = sampler.start(0, random);
    double step = 1, least = 1;
    for (int s = 0; s < 100; ++s) {
      sampler.sweep(state, step, s < 50, random);
      least = std::min(least, state.xi * state.noise_variance / 12);
      ASSERT_TRUE(sampler.predictor().allFinite()) << "sweep " << s;
    }
    EXPECT_LT(least, 1e-10) << "the problem is no test";
    EXPECT_GE(least, 0.999e-12);
  }
}

}  // namespace
}  // namespace ardent::doubly_sparse
