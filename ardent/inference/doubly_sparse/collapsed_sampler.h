// Collapsed Pólya–Gamma Gibbs sampling of both masks: the default sampler.
//
// Model and notation: problem.h; evidence with the weights integrated out:
// collapsed_evidence.h. One sweep, from a state (ζ, z, α, b, δ, ξ, σ²):
//   1. ω_i ~ PG(c_i, f_i), κ = c (t − ½)      Gaussian: ω_i = c_i/σ², κ = c t/σ²; c: row weights,
//      times the power to which the likelihood is raised
//   2. each feature in turn, α and b integrated out, toggled with probability min(1, posterior odds
//      of the toggled mask): log odds = prior log odds ± (evidence with it − evidence without it).
//      The conditional itself (Gibbs) would toggle less often (Peskun's order). Given guesses π_k
//      of the inclusion probabilities, feature k is only visited with chance min(1, π/(1 − π))
//      where it is off and min(1, (1 − π)/π) where it is on (at least some ten a pass), and the
//      ratio of the two enters the acceptance: most visits then change something (Griffin,
//      Łatuszyński and Steel, Biometrika 108, 2021, flip many at a time in this way). With
//      `rescaled_flips` every other proposal also takes δ to δ n/(n + 1) as the n-th other feature
//      gets company, or back: features that say nearly the same then leave distances as they were
//      (the map is a shift of log δ: its Jacobian is 1). Then some proposals to exchange a feature
//      that is on for one that is off (feature_swaps.h)
//   3. birth–death of basis points, α and b integrated out: with probability ½ propose a candidate
//      that is off (of N_c − n), else one that is on (of n + 1), n counted without the proposed
//      one; accept a birth with log ratio
//        change of evidence + prior log odds + log[(N_c − n)/(n + 1)]
//      and a death with its negative
//   4. Metropolis on log δ, α and b integrated out; prior log δ ~ N(log δ₀, sd²). Before it, where
//      features have widths of their own, s_k ~ log-normal(0, sd_s²): the same on log s_k of each
//      that is on (a feature that comes on brings s_k drawn from that prior; one that is exchanged
//      takes that of the one that goes), and a draw along (δ, s) → (cδ, s/c), which leaves f as it
//      is
//   5. ξ, α and b integrated out, by a slice step on log ξ (prior: scale_prior.h)
//   6. (α, b) ~ N(Q⁻¹v, Q⁻¹)
//   7. Bernoulli: the scale of f, ω integrated out: (α, b, ξ) → (cα, cb, ξ/c²) by a slice step on
//      log c from 0, whose density is in scale_move.h (Liu and Sabatti's generalised Gibbs step,
//      Biometrika 87, 2000)
//      Gaussian: σ² ~ InvGamma(shape + Σc/2, rate + RSS/2), its prior InvGamma(1e-3, 1e-3)
//   8. steps 1 and 4–7 again, `refreshes` times: they cost little beside step 2, and the masks then
//      meet new ω; with guesses of the inclusion all steps, those of the masks, too
// Gaussian, ξ sampled: its prior and that of σ² are cut off at ξσ² = 1e-12 Σc, so that Q has more
// than rounding in its smallest eigenvalues (wide kernels of features that are nearly the same can
// want weights of 1e5 spreads of the targets). A draw of σ² given all else that falls beyond is
// replaced by a slice step on what is left of that density, one of ξ is not taken.
//
// Steps 2–6 draw (ζ, z, δ, ξ, α, b) given ω by moves that leave that conditional as it is, with α
// drawn last: a valid blocked Gibbs sweep. Without `scale_moves` ξ is drawn after α, given α
// (Gamma(1 + m/2, 1 + ‖α‖²/2) where its prior is Gamma(1, 1)): the sampler of version 0.1, which
// also had no refreshes and toggled by the conditional.
//
// Scanning "all that are on and a random subset of those that are off" instead of step 3 looks
// natural and is biased: whether an element is visited then depends on its own value.
//
// Cost of a sweep: O(D N m²) for step 2, O(moves · N (m + |ζ|)) for step 3.
#pragma once

#include "ardent/base/random.h"
#include "ardent/inference/doubly_sparse/collapsed_columns.h"
#include "ardent/inference/doubly_sparse/mask_prior.h"
#include "ardent/inference/doubly_sparse/scale_prior.h"

namespace ardent::doubly_sparse {

struct CollapsedOptions {
  MaskPriorKind prior = MaskPriorKind::independent;
  double feature_a = 0;             // >= 0: expected features on, before the data; 0: D/4
  double basis_a = kExpectedBasis;  // > 0: expected basis points on
  bool select_features = true;      // off: all features stay on
  bool bias = true;
  bool sample_delta = true;
  double delta = 0;     // >= 0: δ, or the centre of its prior where it is sampled; 0: 1/median d²
  double delta_sd = 1;  // > 0: prior standard deviation of log δ
  double width_sd = 0;  // >= 0: of log s_k, what each feature has of its own; 0: all are 1
  bool sample_xi = true;
  double xi = kScaleCentre;  // > 0: ξ throughout, or where it is sampled the centre of its prior
                             // (log-normal) or its start (gamma)
  ScalePriorKind xi_prior = ScalePriorKind::log_normal;
  double xi_sd = kScaleSd;  // > 0: prior standard deviation of log ξ (log-normal)
  double noise_shape = 1e-3, noise_rate = 1e-3;  // > 0: of the Gamma prior of 1/σ²
  bool scale_moves = true;                       // off: ξ is drawn given the weights alone
  Index refreshes = 2;           // >= 0: how often steps 1 and 4–7 are repeated in a sweep
  bool metropolis_flips = true;  // off: features are toggled by their conditional (Gibbs)
  bool adaptive_flips = true;    // features are visited as often as they are in doubt, and in each
                                 // refresh again; off: all of them once a sweep
  bool rescaled_flips = false;   // every other toggle keeps δ times the number of features
  Index feature_swaps = 4;       // >= 0: proposals after each visit of the features
  Index basis_moves = 0;  // >= 0: birth or death proposals per sweep; 0: min(200, 2·candidates)
  double power = 1;       // > 0: of the likelihood, for tempering
  Index delta_moves = 2;  // >= 0: Metropolis steps on log δ at a time
};

/// Throws InputError naming field, rule and value.
void validate(const CollapsedOptions& options);

/// What happened in one sweep.
struct SweepCounts {
  Index feature_flips = 0;
  Index births = 0;
  Index deaths = 0;
  Index delta_accepted = 0;
};

class CollapsedSampler {
 public:
  /// For a validated problem, which must outlive it. Zeros of the options become their defaults.
  CollapsedSampler(const KernelProblem& problem, CollapsedOptions options);

  const CollapsedOptions& options() const { return options_; }

  /// A start for chain `chain`: chains begin with all features, with half of them and with few in
  /// turn, δ and the basis points drawn around their priors.
  KernelState start(Index chain, Random& random) const;

  /// One sweep. `delta_step` is the standard deviation of the proposals of log δ; where `adapt`, it
  /// is led towards an acceptance of 0.4 (for burn-in only).
  SweepCounts sweep(KernelState& state, double& delta_step, bool adapt, Random& random);

  /// From here on features are visited as their inclusion probabilities (guesses: any will do) say.
  void set_inclusion(const Vector& inclusion);
  /// Of each feature, at its last visit: the probability that it is on, given all else.
  const Vector& conditional() const { return conditional_; }

  /// f of the state that the last sweep left.
  const Vector& predictor() const { return f_; }

  /// log p(t | state) + log prior of masks, weights, ξ and δ, up to a constant.
  double log_joint(const KernelState& state, double log_likelihood) const;

 private:
  void start_columns(const KernelState& state);
  void draw_row_weights(const KernelState& state, Random& random);
  Index toggle_features(Random& random);
  double log_delta_density(double log_delta) const;  // up to a constant
  double delta_of_flip(bool on, Random& random) const;
  double scale_of_flip(Index k, Random& random) const;
  void move_widths(Random& random);
  void move_basis(Index moves, SweepCounts& counts, Random& random);
  Index swap_features(Random& random);
  Index move_delta(double& delta_step, bool adapt, Random& random);
  void draw_weights(KernelState& state, Random& random);
  double least_xi(double noise_variance) const;
  void move_xi(double noise_variance, Random& random);
  void draw_noise(KernelState& state, Random& random) const;
  void draw_xi_given_weights(KernelState& state, Random& random) const;
  void move_scale(KernelState& state, Random& random);
  void draw_weights_and_scale(KernelState& state, Random& random);

  const KernelProblem& problem_;
  CollapsedOptions options_;
  Vector row_weights_;  // times the power; empty: all 1
  MaskPrior feature_prior_, basis_prior_;
  ScalePrior xi_prior_;
  CollapsedColumns columns_;
  std::vector<Index> off_;  // candidates that are off, in any order
  Vector f_;
  Vector switch_on_, switch_off_;  // chances that a sweep proposes to toggle a feature; empty: 1
  Vector conditional_;
  Matrix similarity_;  // of features: feature_swaps.h
};

}  // namespace ardent::doubly_sparse
