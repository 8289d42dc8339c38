#include "ardent/inference/doubly_sparse/tempering.h"

#include <algorithm>
#include <utility>

#include "ardent/inference/doubly_sparse/metropolis.h"

namespace ardent::doubly_sparse {
namespace {

CollapsedOptions of_companion(CollapsedOptions options, double power) {
  options.power = power;
  options.basis_moves = std::max<Index>(1, options.basis_moves / (1 + options.refreshes));
  options.refreshes = 0;
  return options;
}

void add_conditional(const Vector& conditional, std::vector<double>& sum) {
  sum.resize(conditional.size(), 0);
  for (Index k = 0; k < conditional.size(); ++k) sum[k] += conditional[k];
}

}  // namespace

TemperedSampler::TemperedSampler(const KernelProblem& problem, const CollapsedOptions& options,
                                 Index companions)
    : problem_(problem), powers_{1}, values_(companions + 1, 0) {
  samplers_.reserve(companions + 1);
  samplers_.emplace_back(problem, options);
  for (Index r = 0; r < companions; ++r) {
    powers_.push_back(powers_.back() * kPowerStep);
    samplers_.emplace_back(problem, of_companion(samplers_[0].options(), powers_.back()));
  }
}

void TemperedSampler::set_inclusion(const std::vector<Vector>& inclusion) {
  for (std::size_t r = 0; r < std::min(inclusion.size(), samplers_.size()); ++r) {
    samplers_[r].set_inclusion(inclusion[r]);
  }
}

SweepCounts TemperedSampler::sweep(ChainTrace& trace, bool adapt, bool learn, Random& random) {
  const SweepCounts counts = samplers_[0].sweep(trace.state, trace.delta_step, adapt, random);
  if (learn) add_conditional(samplers_[0].conditional(), trace.inclusion);
  values_[0] =
      doubly_sparse::log_likelihood(problem_, samplers_[0].predictor(), trace.state.noise_variance);
  for (std::size_t r = 0; r < trace.hot.size(); ++r) {
    Rung& rung = trace.hot[r];
    samplers_[r + 1].sweep(rung.state, rung.delta_step, adapt, random);
    if (learn) add_conditional(samplers_[r + 1].conditional(), rung.inclusion);
    values_[r + 1] = doubly_sparse::log_likelihood(problem_, samplers_[r + 1].predictor(),
                                                   rung.state.noise_variance);
  }
  exchange(trace, adapt, random);
  return counts;
}

void TemperedSampler::exchange(ChainTrace& trace, bool adapt, Random& random) {
  for (std::size_t r = trace.hot.size(); r-- > 0;) {
    const double log_ratio = (powers_[r] - powers_[r + 1]) * (values_[r + 1] - values_[r]);
    if (!accepted(log_ratio, random)) continue;
    std::swap(r == 0 ? trace.state : trace.hot[r - 1].state, trace.hot[r].state);
    std::swap(values_[r], values_[r + 1]);
    if (r == 0 && !adapt) ++trace.exchanges;
  }
}

std::vector<Vector> pooled_inclusion(const std::vector<ChainTrace>& chains, Index sweeps) {
  const ChainTrace& first = chains.front();
  if (sweeps <= 0 || first.inclusion.empty()) return {};
  std::vector<Vector> pooled(1 + first.hot.size(),
                             Vector::Constant(std::ssize(first.inclusion), 0.5));
  for (const ChainTrace& chain : chains) {
    for (std::size_t r = 0; r < pooled.size(); ++r) {
      const std::vector<double>& sum = r == 0 ? chain.inclusion : chain.hot[r - 1].inclusion;
      for (Index k = 0; k < pooled[r].size(); ++k) pooled[r][k] += sum[k];
    }
  }
  for (Vector& one : pooled) one /= 1 + static_cast<double>(sweeps * std::ssize(chains));
  return pooled;
}

void restart_with_companions(ChainTrace& trace, Index burn_in) {
  ChainTrace next;
  next.done = next.burn_from = trace.done;
  next.burned = trace.done + burn_in;
  next.state = trace.state;
  next.delta_step = trace.delta_step;
  next.hot.assign(kCompanions,
                  {.state = trace.state, .delta_step = trace.delta_step, .inclusion = {}});
  trace = std::move(next);
}

}  // namespace ardent::doubly_sparse
