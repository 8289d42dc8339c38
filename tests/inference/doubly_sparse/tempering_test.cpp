#include "ardent/inference/doubly_sparse/tempering.h"

#include <gtest/gtest.h>

#include "enumerated_posterior.h"

namespace ardent::doubly_sparse {
namespace {

using brute_force::count_on;

constexpr double kTestedXi = 0.03, kTestedDelta = 0.5;

/// Exact inclusion with everything but the masks fixed and the likelihood raised to a power.
Vector inclusion_at(const KernelProblem& problem, double power) {
  const MaskPrior zeta_prior{MaskPriorKind::independent, 1.2, 3},
      z_prior{MaskPriorKind::independent, 1.5, 3};
  const auto nodes = brute_force::normal_nodes();
  const Vector weights = Vector::Constant(problem.size(), power);
  return brute_force::enumerate_inclusion(3, 3, [&](const auto& zeta, const auto& z) {
    const Matrix k = brute_force::kernel_columns(problem, zeta, z, kTestedDelta, true);
    return brute_force::logistic_evidence(k, brute_force::precisions(k.cols(), kTestedXi, true),
                                          problem.t, nodes, weights) +
           zeta_prior.log_probability(count_on(zeta)) + z_prior.log_probability(count_on(z));
  });
}

void expect_exact(const Matrix& draws, const Vector& exact, const char* what) {
  const auto chain = brute_force::batch_means(draws);
  for (Index e = 0; e < exact.size(); ++e) {
    EXPECT_NEAR(chain.mean[e], exact[e], 3 * chain.error[e]) << what << ", element " << e;
    EXPECT_NEAR(chain.mean[e], exact[e], 0.01) << what << ", element " << e;
  }
}

TEST(Tempering, ChainAndCompanionsEachSampleTheirPosterior) {
  const KernelProblem problem = brute_force::tiny_problem(12, 3, 3, Likelihood::bernoulli, 5);
  const CollapsedOptions options{.feature_a = 1.2,
                                 .basis_a = 1.5,
                                 .sample_delta = false,
                                 .delta = kTestedDelta,
                                 .sample_xi = false,
                                 .xi = kTestedXi,
                                 .refreshes = 0,
                                 .basis_moves = 6};
  TemperedSampler sampler(problem, options, 2);
  sampler.set_inclusion(std::vector<Vector>(3, Eigen::Vector3d(0.7, 0.4, 0.2)));
  Random random(3);
  ChainTrace trace;
  trace.state = sampler.start(2, random);
  trace.hot.assign(2, {.state = trace.state, .delta_step = 0.5, .inclusion = {}});
  constexpr Index kSweeps = 60000;
  Matrix own(kSweeps, 6), hottest(kSweeps, 6);
  for (int s = 0; s < 500; ++s) sampler.sweep(trace, true, false, random);
  EXPECT_EQ(trace.exchanges, 0);
  for (Index s = 0; s < kSweeps; ++s) {
    sampler.sweep(trace, false, false, random);
    brute_force::record(trace.state, own, s);
    brute_force::record(trace.hot[1].state, hottest, s);
  }
  EXPECT_GT(trace.exchanges, kSweeps / 10);
  const Vector exact = inclusion_at(problem, 1);
  const Vector exact_hot = inclusion_at(problem, kPowerStep * kPowerStep);
  EXPECT_GT((exact - exact_hot).cwiseAbs().maxCoeff(), 0.02);
  expect_exact(own, exact, "the chain");
  expect_exact(hottest, exact_hot, "the hottest companion");
}

TEST(Tempering, ARestartForgetsWhatWasNoted) {
  ChainTrace trace;
  trace.done = 50;
  trace.burned = 20;
  trace.state.xi = 3;
  trace.log_likelihood.assign(30, -1);
  restart_with_companions(trace, 20);
  EXPECT_EQ(trace.kept(), 0);
  EXPECT_EQ(trace.done, 50);
  EXPECT_EQ(trace.burn_from, 50);
  EXPECT_EQ(trace.burned, 70);
  ASSERT_EQ(std::ssize(trace.hot), kCompanions);
  EXPECT_EQ(trace.hot[1].state.xi, 3);
}

}  // namespace
}  // namespace ardent::doubly_sparse
