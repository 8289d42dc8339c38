#include "ardent/published/paper_sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ardent/base/error.h"
#include "ardent/inference/doubly_sparse/masked_distances.h"
#include "ardent/inference/evidence/bernoulli.h"

namespace ardent::doubly_sparse {
namespace {

PaperOptions resolved(PaperOptions options, const KernelProblem& problem) {
  validate(options);
  if (problem.likelihood != Likelihood::bernoulli) {
    throw InputError("the published sampler is for classification; use the collapsed one");
  }
  if (options.feature_a == 0) options.feature_a = static_cast<double>(problem.features()) / 4;
  if (options.delta == 0) options.delta = default_delta(problem.rows);
  return options;
}

}  // namespace

void validate(const PaperOptions& options) {
  const auto finite = [](double x) { return std::isfinite(x); };
  require(options.feature_a >= 0 && finite(options.feature_a), "feature_a", ">= 0 and finite",
          options.feature_a);
  require(options.basis_a > 0 && finite(options.basis_a), "basis_a", "> 0 and finite",
          options.basis_a);
  require(options.delta >= 0 && finite(options.delta), "delta", ">= 0 and finite", options.delta);
  require(options.xi > 0 && finite(options.xi), "xi", "> 0 and finite", options.xi);
  require(options.feature_sweeps >= 0, "feature_sweeps", ">= 0", options.feature_sweeps);
  require(options.basis_sweeps >= 0, "basis_sweeps", ">= 0", options.basis_sweeps);
  require(options.vb_steps >= 1, "vb_steps", ">= 1", options.vb_steps);
}

PaperChain::PaperChain(const KernelProblem& problem, const PaperOptions& options, Random& random)
    : problem_(problem),
      options_(resolved(options, problem)),
      feature_prior_{options_.prior, options_.feature_a, problem.features()},
      basis_prior_{options_.prior, options_.basis_a, problem.size()},
      z_(problem.size(), 1),
      alpha_(problem.size()),
      rho_(problem.size()),
      distances_(problem.rows, std::vector<std::uint8_t>(problem.features(), 1),
                 problem.size() < options_.single_from ? Precision::double_precision
                                                       : Precision::single_precision) {
  state_.features.assign(problem.features(), 1);
  state_.delta = options_.delta;
  state_.xi = options_.xi;
  for (double& rho : rho_) rho = random.uniform();  // Algorithm 2
  recompute_kernel();
  draw_alpha(random);
}

void PaperChain::recompute_kernel() {
  kernel_ = distances_.kernel(state_.delta);
}

Index PaperChain::on_count() const {
  return std::count(z_.begin(), z_.end(), std::uint8_t{1});
}

double PaperChain::log_likelihood() const {
  return bernoulli::log_likelihood(problem_.t, f_);
}

double PaperChain::feature_log_odds(Index k) {
  const bool on = state_.features[k] != 0;
  Vector weights = alpha_;
  for (Index i = 0; i < weights.size(); ++i) {
    if (!z_[i]) weights[i] = 0;
  }
  toggled_ = distances_.toggled_predictor(k, state_.delta, weights);
  const double change = bernoulli::log_likelihood(problem_.t, toggled_) - log_likelihood();
  return feature_prior_.log_odds(state_.features_on() - (on ? 1 : 0)) + (on ? -change : change);
}

double PaperChain::basis_log_odds(Index i) const {
  const bool on = z_[i] != 0;
  const Vector without = on ? f_ - alpha_[i] * kernel_.col(i) : f_;
  const Vector with = on ? f_ : f_ + alpha_[i] * kernel_.col(i);
  return basis_prior_.log_odds(on_count() - (on ? 1 : 0)) +
         bernoulli::log_likelihood(problem_.t, with) -
         bernoulli::log_likelihood(problem_.t, without);
}

Index PaperChain::sweep_features(Random& random) {
  Index flips = 0;
  for (Index k = 0; k < problem_.features(); ++k) {
    auto& bit = state_.features[k];
    const bool now = random.uniform() < bernoulli::sigmoid(feature_log_odds(k));
    if (now == (bit != 0)) continue;
    distances_.toggle(k);
    bit = now ? 1 : 0;
    f_ = toggled_;
    ++flips;
  }
  // Sums that features were added to and taken from drift: computed from scratch once per sweep.
  if (flips > 0) {
    distances_.rebuild(state_.features);
    recompute_kernel();
  }
  return flips;
}

Index PaperChain::sweep_basis(Random& random) {
  Index flips = 0;
  for (Index i = 0; i < problem_.size(); ++i) {
    auto& bit = z_[i];
    const bool now = random.uniform() < bernoulli::sigmoid(basis_log_odds(i));
    if (now == (bit != 0)) continue;
    bit = now ? 1 : 0;
    f_ += (now ? alpha_[i] : -alpha_[i]) * kernel_.col(i);
    ++flips;
  }
  return flips;
}

void PaperChain::draw_alpha(Random& random) {
  const std::vector<Index> on = indices_on(z_);
  const Matrix columns = kernel_(Eigen::all, on);
  const Vector precision = Vector::Constant(columns.cols(), state_.xi);
  const VariationalPosterior posterior =
      variational_logistic(columns, problem_.t, precision, rho_, options_.vb_steps);
  rho_ = posterior.rho;
  const Vector drawn = draw_weights(posterior, columns, precision, random);
  const double prior_sd = 1 / std::sqrt(state_.xi);
  for (double& weight : alpha_) weight = prior_sd * random.normal();
  for (std::size_t j = 0; j < on.size(); ++j) alpha_[on[j]] = drawn[j];
  f_ = on.empty() ? Vector(Vector::Zero(problem_.size())) : Vector(columns * drawn);
}

KernelState PaperChain::state() const {
  KernelState result = state_;
  result.basis = indices_on(z_);
  result.alpha = alpha_(result.basis);
  return result;
}

void PaperChain::restore(const KernelState& state, Random& random) {
  state_.features = state.features;
  distances_.rebuild(state_.features);
  recompute_kernel();
  z_.assign(z_.size(), 0);
  const double prior_sd = 1 / std::sqrt(state_.xi);
  for (double& weight : alpha_) weight = prior_sd * random.normal();
  f_ = Vector::Zero(problem_.size());
  for (std::size_t j = 0; j < state.basis.size(); ++j) {
    const Index i = state.basis[j];
    z_[i] = 1;
    alpha_[i] = state.alpha[j];
    f_ += alpha_[i] * kernel_.col(i);
  }
}

namespace {

/// The best state seen in a stage.
struct Best {
  KernelState state;
  double log_posterior = -std::numeric_limits<double>::infinity();

  void consider(const PaperChain& chain, double value) {
    if (!(value > log_posterior)) return;
    log_posterior = value;
    state = chain.state();
  }
};

/// Sweeps of one stage: counts, trace and the best state.
struct Stage {
  Index sweeps = 0;
  std::vector<Index>& flips;
  std::vector<double>& trace;
  Vector& inclusion;  // sums, then shares of the sweeps; all 1 where there were none

  void finish() const {
    if (trace.empty()) {
      inclusion.setOnes();
    } else {
      inclusion /= static_cast<double>(trace.size());
    }
  }
};

}  // namespace

PaperResult paper_sample(const KernelProblem& problem, const PaperOptions& options, Random& random,
                         const ProgressCallback& progress) {
  PaperChain chain(problem, options, random);
  PaperResult result;
  result.feature_inclusion = Vector::Zero(problem.features());
  result.basis_inclusion = Vector::Zero(problem.size());
  const Index first = options.select_features ? options.feature_sweeps : 0;
  const Index total = first + options.basis_sweeps;
  bool stopped = false;
  Index done = 0;

  const auto run = [&](const Stage& stage, const char* name, auto&& sweep, auto&& log_posterior,
                       auto&& include) {
    Best best;
    best.consider(chain, log_posterior());
    for (Index t = 0; t < stage.sweeps && !stopped; ++t) {
      stage.flips.push_back(sweep());
      chain.draw_alpha(random);
      const double value = log_posterior();
      best.consider(chain, value);
      stage.trace.push_back(value);
      const KernelState now = chain.state();
      include(now);
      if (progress)
        stopped = !progress({name, ++done, total, value, now.basis_on(), "log posterior"});
    }
    stage.finish();
    return best;
  };

  const Best features = run(
      {first, result.feature_flips, result.feature_trace, result.feature_inclusion}, "features",
      [&] { return chain.sweep_features(random); },
      [&] { return chain.log_likelihood() + chain.log_feature_prior(); },
      [&](const KernelState& now) {
        for (const Index k : indices_on(now.features)) result.feature_inclusion[k] += 1;
      });
  chain.restore(features.state, random);
  const Best basis = run(
      {options.basis_sweeps, result.basis_flips, result.basis_trace, result.basis_inclusion},
      "basis points", [&] { return chain.sweep_basis(random); },
      [&] { return chain.log_likelihood() + chain.log_basis_prior(); },
      [&](const KernelState& now) {
        for (const Index i : now.basis) result.basis_inclusion[i] += 1;
      });
  result.best = basis.state;
  result.best_log_posterior = basis.log_posterior;
  return result;
}

}  // namespace ardent::doubly_sparse
