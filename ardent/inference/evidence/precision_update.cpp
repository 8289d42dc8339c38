#include "ardent/inference/evidence/precision_update.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ardent/base/elementary.h"
#include "ardent/inference/evidence/noise_prior.h"

namespace ardent {
namespace {

constexpr double kMostStretch = 64;
constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kBernoulliFall = 0.1;      // nats that a MacKay stage may lose, see the header
constexpr double kEvidenceRounding = 1e-9;  // of |E|
constexpr int kMostHalvings = 10;

/// What the evidence says about one weight, all others fixed.
struct WeightEvidence {
  double gamma;    // γ
  double penalty;  // alpha w²
  /// q²/s: above 1 the best precision is finite, else it is ∞.
  double signal() const {
    const double noise = gamma * (1 - gamma);
    return noise > 0 ? penalty / noise : kUnbounded;
  }
  /// Nats that the weight brings at its best precision.
  double gain() const {
    const double x = signal();
    if (x <= 1) return 0;
    return std::isfinite(x) ? (x - 1 - elementary::log(x)) / 2 : kUnbounded;
  }
};

WeightEvidence weight_evidence(const EvidenceState& state, Index k) {
  return {std::max(state.relevance.gamma[k], kSmallestGamma),
          state.precisions.alpha[k] * state.w[k] * state.w[k]};
}

double mackay_log_step(const WeightEvidence& weight) {
  return weight.penalty > 0 ? elementary::log(weight.gamma / weight.penalty) : kUnbounded;
}

double own_maximum_log_step(const WeightEvidence& weight) {
  const double excess = weight.penalty - weight.gamma * (1 - weight.gamma);
  return excess > 0 ? elementary::log(weight.gamma * weight.gamma / excess) : kUnbounded;
}

double log_noise_step(const EvidenceState& state) {
  const double rows = state.problem.row_count();
  const double variance = state.precisions.noise_variance;
  const double free = rows - state.relevance.gamma.sum() - state.relevance.bias_gamma;
  const double wanted = best_noise_variance(state.mode.square_sum, free);
  return elementary::log(std::max(wanted, kNoiseFloor) / variance);
}

double pruning_log_step(const WeightEvidence& weight) {
  return weight.signal() <= 1 ? kUnbounded : mackay_log_step(weight);
}

template <class LogStep>
Proposal propose(const EvidenceState& state, const EngineOptions& options, LogStep log_step) {
  Proposal proposal;
  proposal.log_alpha.resize(state.problem.active());
  for (Index k = 0; k < proposal.log_alpha.size(); ++k) {
    const WeightEvidence weight = weight_evidence(state, k);
    // One e-fold past alpha_max is as good as infinity, and halves to something finite.
    const double to_limit = elementary::log(options.alpha_max / state.precisions.alpha[k]);
    const double furthest = weight.gain() > kWorthKeeping ? to_limit : to_limit + 1;
    proposal.log_alpha[k] = std::min(log_step(weight), furthest);
    proposal.change = std::max(proposal.change, std::abs(proposal.log_alpha[k]));
  }
  if (state.problem.likelihood == Likelihood::gaussian) {
    proposal.log_noise = log_noise_step(state);
    proposal.change = std::max(proposal.change, std::abs(proposal.log_noise));
  }
  return proposal;
}

/// The state that `length` of the proposal leads to, pruned; no columns are left if all would go.
struct Destination {
  std::vector<Index> kept;
  Precisions precisions;
  Vector start;  // the old weights of what is kept
};

Destination destination(const EvidenceState& state, const Proposal& proposal, double length,
                        double alpha_max) {
  Destination result;
  Vector alpha = length * proposal.log_alpha;
  elementary::exp_in_place(alpha);
  alpha.array() *= state.precisions.alpha.array();
  for (Index k = 0; k < alpha.size(); ++k) {
    if (alpha[k] <= alpha_max * (1 + kEvidenceRounding)) result.kept.push_back(k);
  }
  result.precisions.alpha = alpha(result.kept).cwiseMin(alpha_max).cwiseMax(kLeastAlpha);
  result.precisions.noise_variance = std::max(
      state.precisions.noise_variance * elementary::exp(length * proposal.log_noise), kNoiseFloor);
  result.start = state.w(result.kept);
  return result;
}

bool prunes(const EvidenceState& state, const Proposal& proposal, const EngineOptions& options) {
  const Destination next = destination(state, proposal, 1, options.alpha_max);
  return std::ssize(next.kept) < state.problem.active();
}

StageOutcome try_step(EvidenceState& state, const Proposal& proposal, double length,
                      double allowed_fall, const EngineOptions& options, StageResult& result) {
  Destination next = destination(state, proposal, length, options.alpha_max);
  const auto kept = std::ssize(next.kept);
  const Index pruned = state.problem.active() - kept;
  if (kept == 0 && pruned > 0) return StageOutcome::all_pruned;
  EvidenceState candidate =
      evaluate(pruned > 0 ? restricted(state.problem, next.kept) : state.problem,
               std::move(next.precisions), options, &state.mode, &next.start);
  result.newton_steps += candidate.mode.newton_steps;
  const double allowed = allowed_fall + kWorthKeeping * static_cast<double>(pruned) +
                         kEvidenceRounding * std::max(1.0, std::abs(state.log_evidence));
  if (!(candidate.objective >= state.objective - allowed)) return StageOutcome::no_rise;
  find_relevance(candidate);
  state = std::move(candidate);
  result.change = length * proposal.change;
  return StageOutcome::moved;
}

}  // namespace

Proposal mackay_proposal(const EvidenceState& state, const EngineOptions& options) {
  return propose(state, options, mackay_log_step);
}

Proposal own_maximum_proposal(const EvidenceState& state, const EngineOptions& options) {
  return propose(state, options, own_maximum_log_step);
}

StageResult update_precisions(EvidenceState& state, const EngineOptions& options, bool slow,
                              Stretch* stretch) {
  StageResult result;
  Stretch none;
  if (!stretch) stretch = &none;
  const bool exact_slope = state.problem.likelihood == Likelihood::gaussian;
  const double allowed_fall = exact_slope ? 0.0 : kBernoulliFall;
  const auto moves = [&](const Proposal& proposal, double length, double allowed) {
    result.outcome = try_step(state, proposal, length, allowed, options, result);
    return result.outcome == StageOutcome::moved;
  };
  const auto stretched = [&](const Proposal& proposal, double& factor) {
    // A rise beyond rounding: near the maximum a long step must not wander about it.
    const double rounding = kEvidenceRounding * std::max(1.0, std::abs(state.log_evidence));
    const bool good = factor > 1 && moves(proposal, factor, -2 * rounding);
    factor = good ? std::min(2 * factor, kMostStretch) : 1;
    return good;
  };
  if (options.accelerate && slow) {
    const Proposal own = own_maximum_proposal(state, options);
    if (own.change < options.tolerance) return {StageOutcome::converged, 0, own.change};
    if (stretched(own, stretch->own)) return result;
    if (moves(own, 1, 0)) {
      stretch->own = 2;
      return result;
    }
    const Proposal pruning = propose(state, options, pruning_log_step);
    if (prunes(state, pruning, options) && moves(pruning, 1, allowed_fall)) return result;
  }
  const Proposal mackay = mackay_proposal(state, options);
  if (mackay.change < options.tolerance) return {StageOutcome::converged, 0, mackay.change};
  if (options.accelerate && slow && stretched(mackay, stretch->mackay)) return result;
  double length = 1;
  for (int halving = 0; halving <= kMostHalvings; ++halving, length /= 2) {
    if (moves(mackay, length, allowed_fall) || result.outcome == StageOutcome::all_pruned) break;
  }
  if (slow && length == 1 && result.outcome == StageOutcome::moved) stretch->mackay = 2;
  return result;
}

}  // namespace ardent
