// Parallel tempering: a chain with companions whose likelihood is raised to powers below 1.
//
// Companion r samples p(t | state)^β_r p(state), β_r = 0.8^r: the collapsed sweep with rows that
// count β_r times (Pólya–Gamma variables PG(β_r, f)). After each sweep neighbours propose to
// exchange their states, which leaves the product of all posteriors as it is if accepted with log
// ratio
//   (β_r − β_{r+1}) (log p(t | state_{r+1}) − log p(t | state_r)).
// What a companion finds, where a feature comes and goes more easily, reaches the chain that way.
// The log likelihood of a posterior of some thirty weights spreads by about four, so that steps of
// a fifth are exchanged half of the time, whatever the number of rows.
//
// Companions sweep once, without the refreshes of the chain itself: about a third of its cost each.
#pragma once

#include <memory>

#include "ardent/inference/doubly_sparse/chain_trace.h"

namespace ardent::doubly_sparse {

inline constexpr double kPowerStep = 0.8;
inline constexpr Index kCompanions = 4;

class TemperedSampler {
 public:
  /// For a problem, which must outlive it, and a chain with so many companions.
  TemperedSampler(const KernelProblem& problem, const CollapsedOptions& options, Index companions);

  KernelState start(Index chain, Random& random) const { return samplers_[0].start(chain, random); }

  /// Inclusion probabilities by which features are visited (see CollapsedSampler): one vector for
  /// the chain and one for each companion.
  void set_inclusion(const std::vector<Vector>& inclusion);

  /// One sweep of the chain and of its companions, and exchanges. `adapt`: step widths are led to
  /// their aims (burn-in). `learn`: adds up conditional inclusion probabilities.
  SweepCounts sweep(ChainTrace& trace, bool adapt, bool learn, Random& random);

  /// Of the chain's own state.
  double log_likelihood() const { return values_[0]; }
  double log_joint(const KernelState& state) const {
    return samplers_[0].log_joint(state, values_[0]);
  }

 private:
  void exchange(ChainTrace& trace, bool adapt, Random& random);

  const KernelProblem& problem_;
  std::vector<CollapsedSampler> samplers_;  // the chain's own first
  std::vector<double> powers_, values_;     // values_: log likelihood of each state
};

/// Inclusion probabilities as the burn-in of all chains has them, drawn a little towards ½: of the
/// chain's own posterior, then of each companion's. `sweeps`: how many of each chain were added up.
std::vector<Vector> pooled_inclusion(const std::vector<ChainTrace>& chains, Index sweeps);

/// Begins again with companions from the chain's present state, and with another burn-in of so many
/// sweeps: all that was noted is forgotten.
void restart_with_companions(ChainTrace& trace, Index burn_in);

}  // namespace ardent::doubly_sparse
