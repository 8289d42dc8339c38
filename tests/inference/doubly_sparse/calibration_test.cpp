// Simulation-based calibration (Talts et al., 2018): parameters drawn from the prior, data from the
// parameters, a chain from the data. The rank of each true value among the chain's draws is uniform
// if, and only if, the chain samples the posterior. Runs 150 replicates; with ARDENT_CALIBRATION=N
// in the environment, N of them (`make test-calibration`: 2,000).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "ardent/inference/doubly_sparse/gamma_draw.h"
#include "ardent/inference/doubly_sparse/tempering.h"
#include "enumerated_posterior.h"

namespace ardent::doubly_sparse {
namespace {

constexpr Index kRankDraws = 9;            // ranks 0 … 9
constexpr double kChiSquareLimit = 27.88;  // 9 degrees of freedom, level 0.001

const char* const kQuantities[] = {"log delta",      "log xi",    "features on", "basis points on",
                                   "log likelihood", "log noise", "log width"};
constexpr std::size_t kQuantityCount = std::size(kQuantities);
using Quantities = std::array<double, kQuantityCount>;

Index replicates() {
  const char* given = std::getenv("ARDENT_CALIBRATION");
  return given ? std::atoll(given) : 150;
}

Quantities quantities(const KernelProblem& problem, const KernelState& state) {
  const Vector f = predictor(problem.rows, problem.centres, state);
  return {std::log(state.delta),
          std::log(state.xi),
          static_cast<double>(state.features_on()),
          static_cast<double>(state.basis_on()),
          log_likelihood(problem, f, state.noise_variance),
          std::log(state.noise_variance),
          state.features[0] ? std::log(state.delta * state.scale(0)) : -100};
}

/// A state of the prior that `options` describe.
KernelState draw_from_prior(const KernelProblem& problem, const CollapsedOptions& options,
                            Random& random) {
  const auto on = [&](double a, Index size) {
    const double odds = a / static_cast<double>(size);
    return random.uniform() < odds / (1 + odds);
  };
  KernelState state;
  for (Index k = 0; k < problem.features(); ++k) {
    state.features.push_back(on(options.feature_a, problem.features()) ? 1 : 0);
  }
  for (Index c = 0; c < problem.candidates(); ++c) {
    if (on(options.basis_a, problem.candidates())) state.basis.push_back(c);
  }
  state.xi = options.xi_prior == ScalePriorKind::gamma
                 ? -std::log(1 - random.uniform())
                 : options.xi * std::exp(options.xi_sd * random.normal());
  state.delta = options.delta * std::exp(options.delta_sd * random.normal());
  state.alpha.resize(state.basis_on());
  for (double& weight : state.alpha) weight = random.normal() / std::sqrt(state.xi);
  state.bias = random.normal() / std::sqrt(kBiasPrecision);
  if (problem.likelihood == Likelihood::gaussian) {
    state.noise_variance = options.noise_rate / draw_gamma(options.noise_shape, 1, random);
  }
  if (options.width_sd > 0) {
    state.scales.resize(problem.features());
    for (double& scale : state.scales) scale = std::exp(options.width_sd * random.normal());
  }
  return state;
}

/// How often each rank of the true value came, for each quantity. `companions`: tempered ones.
Matrix rank_counts(const CollapsedOptions& options, Likelihood likelihood, Index companions,
                   Index count) {
  KernelProblem problem = brute_force::tiny_problem(16, 3, 5, likelihood, 8);
  Matrix counts = Matrix::Zero(kRankDraws + 1, kQuantityCount);
  for (Index replicate = 0; replicate < count; ++replicate) {
    Random random(11, static_cast<std::uint64_t>(replicate));
    const KernelState truth = draw_from_prior(problem, options, random);
    const Vector f = predictor(problem.rows, problem.centres, truth);
    for (Index i = 0; i < f.size(); ++i) {
      problem.t[i] = likelihood == Likelihood::gaussian
                         ? f[i] + std::sqrt(truth.noise_variance) * random.normal()
                     : random.uniform() < bernoulli::sigmoid(f[i]) ? 1
                                                                   : 0;
    }
    const Quantities wanted = quantities(problem, truth);
    TemperedSampler sampler(problem, options, companions);
    ChainTrace trace;
    trace.state = sampler.start(replicate, random);
    trace.hot.assign(companions, {.state = trace.state, .delta_step = 1, .inclusion = {}});
    for (int s = 0; s < 100; ++s) sampler.sweep(trace, true, s >= 30, random);
    sampler.set_inclusion(pooled_inclusion({trace}, 70));
    std::array<Index, kQuantityCount> below{}, equal{};
    for (Index draw = 0; draw < kRankDraws; ++draw) {
      for (int s = 0; s < 20; ++s) sampler.sweep(trace, false, false, random);
      const Quantities found = quantities(problem, trace.state);
      for (std::size_t q = 0; q < kQuantityCount; ++q) {
        const bool same = std::abs(found[q] - wanted[q]) < 1e-9;
        equal[q] += same ? 1 : 0;
        below[q] += !same && found[q] < wanted[q] ? 1 : 0;
      }
    }
    // Of values that are equal the true one may be any.
    for (std::size_t q = 0; q < kQuantityCount; ++q) {
      counts(below[q] + random.below(equal[q] + 1), static_cast<Index>(q)) += 1;
    }
  }
  return counts;
}

void expect_uniform_ranks(const CollapsedOptions& options, Index companions = 0,
                          Likelihood likelihood = Likelihood::bernoulli) {
  const Index count = replicates();
  const Matrix counts = rank_counts(options, likelihood, companions, count);
  const double expected = static_cast<double>(count) / static_cast<double>(kRankDraws + 1);
  for (std::size_t q = 0; q < kQuantityCount; ++q) {
    const double chi =
        (counts.col(static_cast<Index>(q)).array() - expected).square().sum() / expected;
    testing::Test::RecordProperty(std::string(kQuantities[q]), std::to_string(chi));
    EXPECT_LT(chi, kChiSquareLimit)
        << kQuantities[q] << ": " << counts.col(static_cast<Index>(q)).transpose();
  }
}

CollapsedOptions small_options() {
  return {.feature_a = 1.5,
          .basis_a = 2.5,
          .delta = 0.5,
          .delta_sd = 0.7,
          .xi = 0.05,
          .xi_sd = 0.8,
          .basis_moves = 10};
}

TEST(Calibration, RanksOfTheTruthAreUniform) {
  expect_uniform_ranks(small_options());
}

TEST(Calibration, WithTemperedCompanionsToo) {
  expect_uniform_ranks(small_options(), 2);
}

TEST(Calibration, WithTheGammaPriorToo) {
  CollapsedOptions options = small_options();
  options.xi_prior = ScalePriorKind::gamma;
  expect_uniform_ranks(options);
}

/// As regressions are sampled, but with a prior of the noise from which one can draw.
CollapsedOptions regression_options() {
  CollapsedOptions options = small_options();
  options.xi_prior = ScalePriorKind::gamma;
  options.rescaled_flips = true;
  options.noise_shape = 3;
  options.noise_rate = 1;
  return options;
}

TEST(Calibration, OfRegressionsToo) {
  expect_uniform_ranks(regression_options(), 0, Likelihood::gaussian);
}

TEST(Calibration, OfRegressionsWithCompanionsAndWidthsOfFeaturesToo) {
  CollapsedOptions options = regression_options();
  options.width_sd = 0.8;
  expect_uniform_ranks(options, 2, Likelihood::gaussian);
}

TEST(Calibration, WithWidthsOfFeaturesToo) {
  CollapsedOptions options = small_options();
  options.width_sd = 0.8;
  expect_uniform_ranks(options);
}

}  // namespace
}  // namespace ardent::doubly_sparse
