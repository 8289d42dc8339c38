// A-stage: one update of the precisions that does not lower the evidence.
//
// In x = log alpha the evidence rises along both of these directions, component by component, since
// ∂E/∂x_k = ½(γ_k − alpha_k w_k²) has the sign of each:
//
//   MacKay  alpha_k ← γ_k/w_k²                                    paper equation (8)
//   own     alpha_k ← alpha_k γ_k²/(alpha_k w_k² − γ_k(1−γ_k)), or ∞ where that is not positive:
//           the maximiser over alpha_k alone, all others fixed (Tipping and Faul 2003:
//           s²/(q²−s) with s = alpha γ/(1−γ), q = alpha w/(1−γ)); ∞ means: prune
//
// They have the same fixed points. MacKay's step is safe for many coupled weights at once but takes
// hundreds of stages to carry an irrelevant precision to alpha_max or to settle a small weight; the
// own maximisers get there at once but overshoot while many weights share the work. So they are
// tried only after a stage that gained less than 0.1 nats, and kept only if the evidence does not
// fall. A stage tries, in this order: all own maximisers; own maximisers for those at ∞ alone,
// which prunes them, with MacKay's step for the rest; MacKay's step, halved until the evidence does
// not fall. Measured over five folds, stages of plain MacKay → with own maximisers: diabetes RVM
// 309 → 54, a1a linear 556 → 49, german SBELM 309 → 60, sonar RVM 377 → 67, mpg RVM 223 → 94;
// evidence and accuracy the same or better.
//
// Where columns are nearly dependent, one of them may die by a fraction of a percent a stage. So
// after a slow stage that went all the way the next one tries twice the same kind of step, then
// four times, up to 64, as long as the evidence rises.
//
// "Does not fall" means within rounding, 1e-9 |E| and 1e-6 nats for each weight pruned, for the
// Gaussian likelihood. The Bernoulli evidence is Laplace's, and MacKay's slope leaves out how β
// moves with the mode: near its fixed point the evidence falls slightly, on real data by 1e-5 …
// 0.01 nats a stage and rarely 0.3 (heart, sonar, ionosphere RVMs). To insist on a rise there would
// stall short of the fixed point, so MacKay's step may lose up to 0.1 nats, pruning or not. A step
// of all own maximisers may lose nothing: it would go on for ever between two sides of a maximum.
#pragma once

#include "ardent/inference/evidence/evidence.h"

namespace ardent {

/// Noise variances below this fraction of the target's variance are not distinguished from zero:
/// the noise of perfectly fitted data ends here instead of at 0.
inline constexpr double kNoiseFloor = 1e-8;

/// Where engines begin: so much of the target's variance is noise (Tipping 2001).
inline constexpr double kFirstNoiseVariance = 0.1;

/// Nats that hold a weight at alpha_max, and that a removal may cost.
inline constexpr double kWorthKeeping = 1e-6;
inline constexpr double kSmallestGamma = 1e-12;  // below, 1 − alpha Σ_kk is rounding
/// Precisions are held here: the formulas lead to less, and to 0, whose inverse is no number.
inline constexpr double kLeastAlpha = 1e-50;

/// Where an update wants to go. Steps past alpha_max are cut off just beyond it.
struct Proposal {
  Vector log_alpha;      // Δ log alpha_k
  double log_noise = 0;  // Δ log σ², Gaussian (noise_prior.h)
  double change = 0;     // largest of them in magnitude
};

Proposal mackay_proposal(const EvidenceState& state, const EngineOptions& options);
Proposal own_maximum_proposal(const EvidenceState& state, const EngineOptions& options);

enum class StageOutcome {
  moved,       // the state has new precisions, and perhaps fewer weights
  converged,   // no precision wants to change by more than the tolerance
  all_pruned,  // every weight would go; the state is unchanged
  no_rise,     // no step, however short, keeps the evidence; the state is unchanged
};

struct StageResult {
  StageOutcome outcome = StageOutcome::moved;
  Index newton_steps = 0;
  double change = 0;
};

/// How many times as far as proposed the next stage may try to go.
struct Stretch {
  double own = 1, mackay = 1;
};

/// One A-stage and the MAP-stage that follows it. `slow`: the stage before gained little.
/// `stretch`, if given, is kept from stage to stage.
/// A weight whose new precision exceeds alpha_max is pruned, unless the data speak for it by more
/// than 1e-6 nats; then it is held at alpha_max.
StageResult update_precisions(EvidenceState& state, const EngineOptions& options, bool slow,
                              Stretch* stretch = nullptr);

/// A gain, in nats, below which a stage counts as slow.
inline constexpr double kSlowGain = 0.1;

}  // namespace ardent
