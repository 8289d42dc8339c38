#include "ardent/inference/doubly_sparse/collapsed_sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/inference/doubly_sparse/feature_swaps.h"
#include "ardent/inference/doubly_sparse/metropolis.h"
#include "ardent/inference/doubly_sparse/polya_gamma.h"
#include "ardent/inference/evidence/bernoulli.h"

namespace ardent::doubly_sparse {
namespace {

CollapsedOptions resolved(CollapsedOptions options, const KernelProblem& problem) {
  validate(options);
  if (options.feature_a == 0) options.feature_a = static_cast<double>(problem.features()) / 4;
  // A visit whose chance depends on the bit itself needs the Metropolis step.
  options.adaptive_flips = options.adaptive_flips && options.metropolis_flips;
  if (options.delta == 0) options.delta = default_delta(problem.centres);
  if (options.basis_moves == 0) {
    options.basis_moves = std::min<Index>(200, 2 * problem.candidates());
  }
  return options;
}

/// How often rows count in the likelihood to that power; empty: all once.
Vector powered_weights(const KernelProblem& problem, double power) {
  if (power == 1) return problem.weights;
  if (problem.weights.size() == 0) return Vector::Constant(problem.size(), power);
  return power * problem.weights;
}

}  // namespace

void validate(const CollapsedOptions& options) {
  const auto finite = [](double x) { return std::isfinite(x); };
  require(options.feature_a >= 0 && finite(options.feature_a), "feature_a", ">= 0 and finite",
          options.feature_a);
  require(options.basis_a > 0 && finite(options.basis_a), "basis_a", "> 0 and finite",
          options.basis_a);
  require(options.delta >= 0 && finite(options.delta), "delta", ">= 0 and finite", options.delta);
  require(options.delta_sd > 0 && finite(options.delta_sd), "delta_sd", "> 0 and finite",
          options.delta_sd);
  require(options.width_sd >= 0 && finite(options.width_sd), "width_sd", ">= 0 and finite",
          options.width_sd);
  require(options.xi > 0 && finite(options.xi), "xi", "> 0 and finite", options.xi);
  require(options.xi_sd > 0 && finite(options.xi_sd), "xi_sd", "> 0 and finite", options.xi_sd);
  require(options.power > 0 && finite(options.power), "power", "> 0 and finite", options.power);
  require(options.noise_shape > 0 && finite(options.noise_shape), "noise_shape", "> 0 and finite",
          options.noise_shape);
  require(options.noise_rate > 0 && finite(options.noise_rate), "noise_rate", "> 0 and finite",
          options.noise_rate);
  require(options.feature_swaps >= 0, "feature_swaps", ">= 0", options.feature_swaps);
  require(options.refreshes >= 0, "refreshes", ">= 0", options.refreshes);
  require(options.basis_moves >= 0, "basis_moves", ">= 0", options.basis_moves);
  require(options.delta_moves >= 0, "delta_moves", ">= 0", options.delta_moves);
}

CollapsedSampler::CollapsedSampler(const KernelProblem& problem, CollapsedOptions options)
    : problem_(problem),
      options_(resolved(std::move(options), problem)),
      row_weights_(powered_weights(problem, options_.power)),
      feature_prior_{options_.prior, options_.feature_a, problem.features()},
      basis_prior_{options_.prior, options_.basis_a, problem.candidates()},
      xi_prior_{options_.xi_prior, elementary::log(options_.xi), options_.xi_sd},
      columns_(problem, options_.bias),
      conditional_(Vector::Constant(problem.features(), 0.5)) {
  if (options_.feature_swaps > 0) similarity_ = feature_similarity(problem.rows);
}

KernelState CollapsedSampler::start(Index chain, Random& random) const {
  KernelState state;
  const Index d = problem_.features(), candidates = problem_.candidates();
  const double few = std::min(1.0, std::max(2.0, options_.feature_a) / static_cast<double>(d));
  const double share = chain % 3 == 0 ? 1 : chain % 3 == 1 ? 0.5 : few;
  state.features.resize(d);
  for (auto& bit : state.features) {
    bit = !options_.select_features || random.uniform() < share ? 1 : 0;
  }
  if (options_.width_sd > 0) {
    state.scales.resize(d);
    for (double& scale : state.scales) scale = elementary::exp(options_.width_sd * random.normal());
  }
  const Index most = std::min<Index>(candidates, 10);
  std::vector<Index> all(candidates);
  for (Index c = 0; c < candidates; ++c) all[c] = c;
  random.shuffle(all);
  state.basis.assign(all.begin(), all.begin() + most);
  state.xi = options_.sample_xi ? options_.xi * elementary::exp(random.normal()) : options_.xi;
  state.delta = options_.delta;
  if (options_.sample_delta) state.delta *= elementary::exp(options_.delta_sd * random.normal());
  state.alpha.resize(most);
  for (double& weight : state.alpha) weight = 0.1 * random.normal();
  if (problem_.likelihood == Likelihood::gaussian) {
    const double total = problem_.total_weight();
    const bool weighted = problem_.weights.size() > 0;
    const double mean = weighted ? problem_.weights.dot(problem_.t) / total : problem_.t.mean();
    state.bias = options_.bias ? mean : 0;
    const double variance =
        residual_square(problem_, Vector::Constant(problem_.size(), state.bias)) / total;
    state.noise_variance = variance > 0 ? variance : 1;
  }
  return state;
}

void CollapsedSampler::start_columns(const KernelState& state) {
  columns_.start(state);
  Vector weights(state.alpha.size() + (options_.bias ? 1 : 0));
  if (options_.bias) weights[0] = state.bias;
  weights.tail(state.alpha.size()) = state.alpha;
  f_ = columns_.predictor(weights);
}

void CollapsedSampler::draw_row_weights(const KernelState& state, Random& random) {
  const Index n = problem_.size();
  const bool weighted = row_weights_.size() > 0;
  if (problem_.likelihood == Likelihood::gaussian) {
    Vector omega = Vector::Constant(n, 1 / state.noise_variance);
    Vector kappa = problem_.t / state.noise_variance;
    if (weighted) {
      omega = omega.cwiseProduct(row_weights_);
      kappa = kappa.cwiseProduct(row_weights_);
    }
    columns_.set_weights_and_target(std::move(omega), std::move(kappa));
    return;
  }
  Vector omega(n), kappa = problem_.t.array() - 0.5;
  for (Index i = 0; i < n; ++i) {
    omega[i] = weighted ? draw_polya_gamma(row_weights_[i], f_[i], random)
                        : draw_polya_gamma(f_[i], random);
  }
  if (weighted) kappa = kappa.cwiseProduct(row_weights_);
  columns_.set_weights_and_target(std::move(omega), std::move(kappa));
}

void CollapsedSampler::move_basis(Index moves, SweepCounts& counts, Random& random) {
  const Index candidates = problem_.candidates();
  std::vector<std::uint8_t> on(candidates, 0);
  for (const Index c : columns_.basis()) on[c] = 1;
  off_.clear();
  for (Index c = 0; c < candidates; ++c) {
    if (!on[c]) off_.push_back(c);
  }
  // log of (chance to propose the death) / (chance to propose the birth), n on without the element
  const auto hastings = [&](Index n) {
    return elementary::log(static_cast<double>(candidates - n) / static_cast<double>(n + 1));
  };
  for (Index move = 0; move < moves; ++move) {
    const auto active = std::ssize(columns_.basis());
    if (random.uniform() < 0.5) {
      if (off_.empty()) continue;
      auto& proposed = off_[random.below(candidates - active)];
      const double log_ratio =
          columns_.try_birth(proposed) + basis_prior_.log_odds(active) + hastings(active);
      if (!accepted(log_ratio, random)) continue;
      columns_.accept_birth();
      std::swap(proposed, off_.back());
      off_.pop_back();
      ++counts.births;
    } else {
      if (active == 0) continue;
      const Index j = random.below(active);
      const double log_ratio =
          columns_.change_by_death(j) - basis_prior_.log_odds(active - 1) - hastings(active - 1);
      if (!accepted(log_ratio, random)) continue;
      off_.push_back(columns_.basis()[j]);
      columns_.remove(j);
      ++counts.deaths;
    }
  }
}

double CollapsedSampler::log_delta_density(double log_delta) const {
  const double z = (log_delta - elementary::log(options_.delta)) / options_.delta_sd;
  return -0.5 * z * z;
}

Index CollapsedSampler::move_delta(double& delta_step, bool adapt, Random& random) {
  constexpr double kTarget = 0.4, kGain = 0.1;
  Index count = 0;
  for (Index move = 0; move < options_.delta_moves; ++move) {
    const double now = elementary::log(columns_.delta());
    const double proposed = now + delta_step * random.normal();
    const double log_ratio = columns_.try_delta(elementary::exp(proposed)) -
                             log_delta_density(now) + log_delta_density(proposed);
    const bool accept = accepted(log_ratio, random);
    if (accept) {
      columns_.accept_trial();
      ++count;
    }
    if (adapt) delta_step *= elementary::exp(kGain * ((accept ? 1 : 0) - kTarget));
  }
  return count;
}

SweepCounts CollapsedSampler::sweep(KernelState& state, double& delta_step, bool adapt,
                                    Random& random) {
  SweepCounts counts;
  const auto move_scales = [&] {
    if (options_.width_sd > 0) move_widths(random);
    if (options_.sample_delta) counts.delta_accepted += move_delta(delta_step, adapt, random);
    draw_weights_and_scale(state, random);
  };
  const bool repeated = switch_on_.size() > 0;  // the masks in each refresh
  const Index passes = 1 + options_.refreshes;
  const Index basis_moves =
      repeated ? (options_.basis_moves + passes - 1) / passes : options_.basis_moves;
  // Where rows were added to those that the state is of.
  if (options_.sample_xi) state.xi = std::max(state.xi, least_xi(state.noise_variance));
  start_columns(state);
  for (Index pass = 0; pass < passes; ++pass) {
    if (pass > 0) columns_.set_xi(state.xi);
    draw_row_weights(state, random);
    if (pass == 0 || repeated) {
      if (options_.select_features) {
        counts.feature_flips += toggle_features(random) + 2 * swap_features(random);
      }
      move_basis(basis_moves, counts, random);
    }
    move_scales();
  }
  return counts;
}

double CollapsedSampler::log_joint(const KernelState& state, double log_likelihood) const {
  const double z = elementary::log(state.delta / options_.delta) / options_.delta_sd;
  double widths = 0;
  for (Index k = 0; options_.width_sd > 0 && k < problem_.features(); ++k) {
    if (!state.features[k]) continue;
    const double of_scale = elementary::log(state.scales[k]) / options_.width_sd;
    widths -= 0.5 * of_scale * of_scale + elementary::log(options_.width_sd) +
              0.5 * elementary::log(2 * std::numbers::pi);
  }
  return log_likelihood + widths + feature_prior_.log_probability(state.features_on()) +
         basis_prior_.log_probability(state.basis_on()) +
         0.5 * static_cast<double>(state.alpha.size()) *
             elementary::log(state.xi / (2 * std::numbers::pi)) -
         0.5 * state.xi * state.alpha.squaredNorm() +
         xi_prior_.log_density(elementary::log(state.xi)) - elementary::log(state.xi) - 0.5 * z * z;
}

}  // namespace ardent::doubly_sparse
