// Engine "sequential": fast marginal likelihood maximisation (Tipping and Faul 2003, "Fast marginal
// likelihood maximisation for sparse Bayesian models"), which grows the model from nothing.
//
// Model and objective are those of engine "exact" (exact.h): w_k ~ N(0, 1/alpha_k), a free bias,
// and the evidence E(alpha) = log p(t | alpha), Laplace's approximation for Bernoulli. A basis that
// is not in the model has alpha_k = ∞. With C the covariance of the (linearised) target,
//
//   S_k = φ_kᵀC⁻¹φ_k,  Q_k = φ_kᵀ(t − y) (Gaussian: /σ²)
//   s_k, q_k: S and Q with basis k itself taken out of C;  θ_k = q_k² − s_k
//
// E depends on alpha_k alone through ℓ(alpha_k) = ½(log alpha − log(alpha + s) + q²/(alpha + s)),
// so
//
//   θ_k > 0, not in the model   add          alpha_k = s²/θ   gain ½(q²/s − 1 − log(q²/s))
//   θ_k > 0, in the model       re-estimate  alpha_k = s²/θ   gain ℓ(s²/θ) − ℓ(alpha_k)
//   θ_k ≤ 0, in the model       remove                        gain −ℓ(alpha_k)
//   Gaussian                    noise  σ² ← (‖t − Phi w − b‖² + 1e-6)/(N − Σγ_k − γ_b + 1e-6)
//                                      (noise_prior.h), halved until E rises
//
// Each step takes the action of the largest gain (ties: the lowest column) and finds the new mode
// and its evidence with the code that `exact` uses. For the Gaussian likelihood the gains are
// exact. For Bernoulli they hold at the old β: an action whose evidence then does not rise is
// undone and the next one is tried; and where a re-estimation is best, all precisions are first
// re-estimated together, which stands if it raises the evidence by as much as the one alone
// promised. Gaussian steps are cheap, and joint ones ended at lower evidence: they stay single. So
// the evidence rises with every step, but for 1e-6 nats that a removal may cost, and no
// cycle is possible.
//
// Converged: no action is left that raises the evidence, among those that promise more than
// 1e-6·max(1, |E|) nats (to add; for Bernoulli also to re-estimate) and that change log alpha or
// log σ² by `tolerance` or more (to re-estimate).
//
// Start: the bias, and the one basis of the largest gain. The noise starts at a tenth of the
// target's variance and stays there while an addition or a removal promises more than 0.1 nats:
// from a high noise the first few columns explain too much, and the search ends sooner in a worse
// maximum. The last weight is never removed but held at alpha_max, with a warning and the status
// `stalled`, as `exact` keeps its last stage: then no column has anything to say.
//
// With a prior on the support (support_prior.h) an addition must gain more than its cost, a basis
// whose best gain is below it is removed, and the evidence above is the objective. Where that prior
// matters the noise starts at the target's variance, and there is no second start: many columns at
// once are what the prior is against.
//
// Columns have unit RMS inside (standard_units.h). A column that the active ones span to rounding
// (S_k ≤ 1e-10 φ_kᵀBφ_k), or that repeats one of them, is not added.
//
// Cost per step, m active of M columns (scan.h): Bernoulli N M m for S_k, and N m²/2 for
// each of ~4 Newton steps; Gaussian M m while the noise stays, M m²/2 when it moves, N M for each
// column that is added, and m³. Memory: the active columns; Gaussian M m; Bernoulli a dense copy of
// Phi where N M is at most 2.5e7 and a tenth of it is not zero. Quick where few columns survive;
// where hundreds do, `exact` is quicker. Being greedy, growing alone can end in a much lower
// maximum than `exact` on kernels and spectra; so a second climb starts from many columns
// (top_down_start.h) and the higher end is kept (figures: docs/algorithms.md). With many more
// columns than rows both fit the noise of a Gaussian target: that is the objective's, not the
// search's.
#pragma once

#include "ardent/inference/engine.h"

namespace ardent {

/// max_stages counts steps (0: 5000). Throws InputError for targets and designs that cannot be
/// fitted. Not having converged is a status in the report.
Fit fit_sequential(const Design& design, const Target& target, const EngineOptions& options = {},
                   const ProgressCallback& progress = {});

}  // namespace ardent
