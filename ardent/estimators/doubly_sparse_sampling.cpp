#include "ardent/estimators/doubly_sparse_sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/inference/evidence/target_range.h"
#include "ardent/published/paper_sampler.h"

namespace ardent {
namespace {

using doubly_sparse::KernelProblem;
using doubly_sparse::KernelState;

constexpr Index kMostCandidates = 2000;  // up to so many rows all are candidates,
constexpr double kPublishedXi = doubly_sparse::PaperOptions{}.xi;
constexpr Index kLandmarks = 300;  // beyond that so many of them

/// Positions among `count` rows, ascending.
std::vector<Index> choose_candidates(Index count, Index landmarks, std::uint64_t seed) {
  const Index wanted = landmarks > 0 ? landmarks : count <= kMostCandidates ? count : kLandmarks;
  std::vector<Index> all = index_range(0, count);
  if (wanted >= count) return all;
  Random random(seed, ~std::uint64_t{0});  // a stream that no chain uses
  random.shuffle(all);
  all.resize(wanted);
  std::sort(all.begin(), all.end());
  return all;
}

/// t = centre + spread · (what is sampled).
struct TargetUnits {
  double centre = 0, spread = 1;
};

/// Of rows that count by `weights` (empty: once).
TargetUnits standard_units(const Vector& t, const Vector& weights, bool bias) {
  const auto mean = [&](const Vector& values) {
    return weights.size() == 0 ? values.mean() : weights.dot(values) / weights.sum();
  };
  TargetUnits units;
  if (bias) units.centre = mean(t);
  const double spread = std::sqrt(mean((t.array() - units.centre).square()));
  if (spread > 0) units.spread = spread;
  return units;
}

void to_data_units(KernelState& state, const TargetUnits& units) {
  state.alpha *= units.spread;
  state.bias = units.centre + units.spread * state.bias;
  state.noise_variance *= units.spread * units.spread;
}

doubly_sparse::CollapsedOptions collapsed_options(const TrainOptions& options,
                                                  Likelihood likelihood) {
  using doubly_sparse::ScalePriorKind;
  const DoublySparseOptions& asked = options.doubly_sparse;
  doubly_sparse::CollapsedOptions result{.prior = doubly_sparse::parse_prior(asked.prior),
                                         .feature_a = asked.expected_features,
                                         .basis_a = asked.expected_basis,
                                         .bias = options.engine_options.bias,
                                         .sample_delta = asked.sample_delta,
                                         .delta = asked.delta,
                                         .width_sd = asked.width_sd,
                                         .sample_xi = asked.sample_xi,
                                         .xi_sd = asked.xi_sd};
  if (asked.xi_prior != "auto") {
    result.xi_prior = doubly_sparse::parse_scale_prior(asked.xi_prior);
  } else if (likelihood == Likelihood::gaussian) {
    result.xi_prior = ScalePriorKind::gamma;
    result.rescaled_flips = true;
  }
  if (result.xi_prior == ScalePriorKind::gamma) result.xi = doubly_sparse::kGammaStart;
  if (asked.xi_prior == "gamma") {  // the sampler of version 0.1
    result.scale_moves = result.metropolis_flips = result.adaptive_flips = false;
    result.refreshes = result.feature_swaps = 0;
  }
  if (asked.xi > 0) result.xi = asked.xi;
  return result;
}

void sample_collapsed(const KernelProblem& problem, const TrainOptions& options, std::uint64_t seed,
                      const CheckpointOptions& checkpoint, const ProgressCallback& progress,
                      DoublySparseSample& result) {
  const DoublySparseOptions& asked = options.doubly_sparse;
  const doubly_sparse::ChainsResult chains =
      doubly_sparse::run_chains(problem, collapsed_options(options, problem.likelihood),
                                {.chains = asked.chains,
                                 .burn_in = asked.burn_in,
                                 .sweeps = asked.sweeps > 0 ? asked.sweeps : asked.max_sweeps,
                                 .until_agreement = asked.sweeps == 0,
                                 .tempering = asked.tempering,
                                 .seconds = asked.time,
                                 .draws = asked.draws,
                                 .seed = seed,
                                 .checkpoint = checkpoint.path,
                                 .resume = checkpoint.resume,
                                 .checkpoint_seconds = checkpoint.seconds,
                                 .farm = options.farm},
                                progress);
  result.fit.summary = doubly_sparse::summarise(chains, problem.features(), problem.candidates());
  result.fit.delta = chains.options.delta;
  result.fit.resumed = chains.resumed;
  const doubly_sparse::ChainTrace* best = nullptr;
  for (const doubly_sparse::ChainTrace& chain : chains.chains) {
    if (!asked.point_estimate) {
      result.draws.insert(result.draws.end(), chain.draws.begin(), chain.draws.end());
    }
    if (chain.kept() > 0 && (!best || chain.best_log_joint > best->best_log_joint)) best = &chain;
  }
  if (!best) throw Error("sampling was stopped before a sweep was kept");
  if (result.draws.empty()) result.draws.push_back(best->best);
}

/// Shares of sweeps of one published chain: it has neither error nor R̂.
std::vector<doubly_sparse::Estimate> shares(const Vector& inclusion) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<doubly_sparse::Estimate> estimates;
  for (const double p : inclusion) estimates.push_back({p, kUnknown, kUnknown, kUnknown});
  return estimates;
}

double mean_of(const std::vector<Index>& counts) {
  double sum = 0;
  for (const Index count : counts) sum += static_cast<double>(count);
  return counts.empty() ? 0 : sum / static_cast<double>(counts.size());
}

void sample_as_published(const KernelProblem& problem, const TrainOptions& options,
                         std::uint64_t seed, const ProgressCallback& progress,
                         DoublySparseSample& result) {
  const DoublySparseOptions& asked = options.doubly_sparse;
  Random random(seed);
  const bool features = asked.sampler == "paper";
  const doubly_sparse::PaperResult published =
      doubly_sparse::paper_sample(problem,
                                  {.select_features = features,
                                   .prior = doubly_sparse::parse_prior(asked.prior),
                                   .feature_a = asked.expected_features,
                                   .basis_a = asked.expected_basis,
                                   .delta = asked.delta,
                                   .xi = asked.xi > 0 ? asked.xi : kPublishedXi},
                                  random, progress);
  doubly_sparse::ChainsSummary& summary = result.fit.summary;
  summary.features = shares(published.feature_inclusion);
  summary.basis = shares(published.basis_inclusion);
  summary.features_on = {static_cast<double>(published.best.features_on()), 0, 0, 1};
  summary.basis_on = {static_cast<double>(published.best.basis_on()), 0, 0, 1};
  summary.log_likelihood = {published.best_log_posterior, 0, 0, 1};
  summary.feature_flips = mean_of(published.feature_flips);
  summary.basis_flips = mean_of(published.basis_flips);
  if (features && summary.feature_flips == 0) {
    summary.warnings.emplace_back("the published chain is frozen: no feature changed in any sweep");
  }
  result.fit.delta = published.best.delta;
  result.draws.push_back(published.best);
}

}  // namespace

DoublySparseSample sample_doubly_sparse(const Matrix& scaled, const Problem& task,
                                        const TrainOptions& options, std::uint64_t seed,
                                        const CheckpointOptions& checkpoint,
                                        const ProgressCallback& progress) {
  const bool collapsed = options.doubly_sparse.sampler == "collapsed";
  DoublySparseSample result;
  result.fit.positive = task.positive;
  result.fit.negative = task.negative;
  KernelProblem problem;
  problem.rows = scaled(task.rows, Eigen::all);
  problem.likelihood = task.target.likelihood;
  problem.weights = task.target.weights;
  const Vector& t = task.target.t;
  TargetUnits units;
  if (problem.likelihood == Likelihood::gaussian) {
    check_target_range(t.size() > 0 ? t.lpNorm<Eigen::Infinity>() : 0);
    units = standard_units(t, task.target.weights, options.engine_options.bias);
  }
  problem.t = (t.array() - units.centre) / units.spread;
  const std::vector<Index> chosen = choose_candidates(
      problem.size(), collapsed ? options.doubly_sparse.landmarks : problem.size(), seed);
  problem.centres = problem.rows(chosen, Eigen::all);
  for (const Index i : chosen) {
    result.fit.candidates.push_back(task.rows[i]);
  }
  if (collapsed) {
    sample_collapsed(problem, options, seed, checkpoint, progress, result);
  } else {
    sample_as_published(problem, options, seed, progress, result);
  }
  for (KernelState& draw : result.draws) to_data_units(draw, units);
  return result;
}

}  // namespace ardent
