// The published samplers: FS-SKLR-SaVB (features, then basis points) and SKLR-SaVB (basis points
// only) of Kojima and Tanaka, "Doubly Sparse Bayesian Kernel Logistic Regression", Algorithm 1.
//
// Model: doubly_sparse/problem.h with every training row a candidate, no bias, δ and ξ fixed.
// Stage 1, T_gsfs times, all basis points on: each feature in turn, given the weights α, is
// switched on with probability σ(ℓ),
//   ℓ_k = prior log odds + Σ_i [log σ(s_i f_i(ζ_k = 1)) − log σ(s_i f_i(ζ_k = 0))],   (28)
// then α is drawn from the VB posterior (variational_logistic.h), and the state's posterior
// log p(t | ζ, α) + log p(ζ) noted; the largest wins. Stage 2, T_gsms times: the same for the basis
// points, (29), with the winner's features.
//
// Where the print is wrong or silent: (28) and (29) are unnormalised, so that comparing them with
// U(0, 1) is meaningless; normalised as above. p(ζ): see mask_prior.h. A basis point that is off
// has a zero column, so that its weight's posterior is its prior: it is drawn from that, or nothing
// could ever switch it on. α is drawn, not set to its mean: with means, chains freeze.
//
// It is the faithful baseline, not the default: VB is no exact conditional, and at small ξ nothing
// flips. Cost: D·N²/2 exponentials for a sweep of features, N² for one of basis points, and
// O(T_vb N m²) for each VB step of m columns (all N in stage 1).
#pragma once

#include "ardent/base/progress.h"
#include "ardent/base/random.h"
#include "ardent/inference/doubly_sparse/mask_prior.h"
#include "ardent/inference/doubly_sparse/problem.h"
#include "ardent/published/symmetric_distances.h"
#include "ardent/published/variational_logistic.h"

namespace ardent::doubly_sparse {

struct PaperOptions {
  bool select_features = true;  // on: FS-SKLR-SaVB; off: SKLR-SaVB
  MaskPriorKind prior = MaskPriorKind::independent;
  double feature_a = 0;             // >= 0; 0: D/4
  double basis_a = kExpectedBasis;  // > 0
  double delta = 0;                 // >= 0; 0: 1/median d²
  double xi = 1;                    // > 0
  Index feature_sweeps = 40;        // >= 0: T_gsfs
  Index basis_sweeps = 40;          // >= 0: T_gsms
  Index vb_steps = 4;               // >= 1: T_vb
  Index single_from = 500;          // rows from which feature sweeps are in single precision
};

/// Throws InputError naming field, rule and value.
void validate(const PaperOptions& options);

/// A state of the published chain, with all that its conditionals need.
class PaperChain {
 public:
  /// For a Bernoulli problem whose candidates are its rows (only those are used), which must
  /// outlive it. Starts with every feature and every basis point on, and α from VB.
  PaperChain(const KernelProblem& problem, const PaperOptions& options, Random& random);

  /// ℓ of feature k, or of basis point i, given everything else.
  double feature_log_odds(Index k);
  double basis_log_odds(Index i) const;

  /// Each element in turn by its conditional; returns how many changed.
  Index sweep_features(Random& random);
  Index sweep_basis(Random& random);
  /// VB from where it stopped last, and a draw of α.
  void draw_alpha(Random& random);

  double log_likelihood() const;
  double log_feature_prior() const { return feature_prior_.log_probability(state_.features_on()); }
  double log_basis_prior() const { return basis_prior_.log_probability(on_count()); }
  /// Weights of basis points that are off are left out.
  KernelState state() const;
  /// Takes features, basis points and weights of a state and forgets the rest.
  void restore(const KernelState& state, Random& random);
  const Vector& alpha() const { return alpha_; }

 private:
  Index on_count() const;
  void recompute_kernel();

  const KernelProblem& problem_;
  PaperOptions options_;
  MaskPrior feature_prior_, basis_prior_;
  KernelState state_;            // features, δ and ξ; the rest below
  std::vector<std::uint8_t> z_;  // N
  Vector alpha_;                 // N, those that are off included
  Vector rho_;                   // of VB
  SymmetricDistances distances_;
  Matrix kernel_;
  Vector f_;
  Vector toggled_;  // f with the feature of the last feature_log_odds flipped
};

struct PaperResult {
  KernelState best;
  double best_log_posterior = 0;
  std::vector<double> feature_trace, basis_trace;  // log posterior after each sweep
  std::vector<Index> feature_flips, basis_flips;   // a sweep
  Vector feature_inclusion, basis_inclusion;       // share of sweeps on (all 1 where not sampled)
};

/// Algorithm 1. Progress may stop it between sweeps: the best so far is returned.
PaperResult paper_sample(const KernelProblem& problem, const PaperOptions& options, Random& random,
                         const ProgressCallback& progress = {});

}  // namespace ardent::doubly_sparse
