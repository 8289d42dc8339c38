// The outer loop of the engines that never form a Hessian: diagonal, dqn and probes.
//
//   repeat  MAP-stage   w ← about arg min L(w) for these precisions
//           A-stage     alpha ← the engine's update from w and its estimate of diag Σ
//           prune alpha_k > alpha_max, and compact the design
//   until   max |Δ log alpha_k| < tolerance, or the stage limit
//
// With a prior on the support (support_prior.h), from the third stage on, columns whose best gain
// is below their cost go as well, a fifth of all at most in a stage, the least valuable first: with
// q²/s = (w(S + alpha))²/S, S = H_kk − alpha. While more than half of the candidates are in, the
// cost is 0 and only columns go that the evidence alone has no use for.
//
// A Gaussian noise stays at the target's variance until at most half as many columns as rows are
// in: before that every column would look good beside a noise that the others have taken away.
//
// The stages' evidence takes log|H| ≤ Σ log H_kk (Hadamard): a lower bound of Laplace's. Where at
// most 2,000 weights are left the final posterior has the exact Laplace covariance and evidence at
// the engine's own weights; where more are left, variances are 1/H_kk.
// Memory: the design and about ten vectors of length M or N.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ardent/inference/evidence/map_objective.h"
#include "ardent/inference/evidence/support_prior.h"

namespace ardent {

/// The weights still in the model, in standard units, the bias (if any) last.
struct ArdState {
  std::unique_ptr<Design> phi;  // active columns, and a column of ones for the bias
  std::vector<Index> columns;   // which columns of the caller's design; without the bias
  bool bias = true;
  Likelihood likelihood = Likelihood::bernoulli;
  Vector t;
  Vector row_weights;
  double noise_variance = 1;
  SupportPrior support = {};
  Vector alpha;
  MapPoint point;
  double mode_tolerance = 1e-3;  // of newton_cg
  Vector hessian_diagonal;       // H_kk at the point, once the MAP-stage is done

  Index active() const { return std::ssize(columns); }
  MapObjective objective() const { return {*phi, likelihood, t, row_weights, noise_variance}; }
};

/// What tells one engine from another.
class ArdMethod {
 public:
  virtual ~ArdMethod() = default;
  virtual std::string name() const = 0;
  /// Moves state.point, evaluated, towards the mode; it stays evaluated. Returns its steps.
  virtual Index find_mode(ArdState& state) = 0;
  /// New precisions of all weights but the bias.
  virtual Vector updated_alpha(const ArdState& state) = 0;
  /// The columns at these positions (bias included) are kept.
  virtual void keep(std::span<const Index> positions) { (void)positions; }
};

/// Finds state.hessian_diagonal at the mode; returns the evidence with Hadamard's bound.
double measure(ArdState& state);
/// σ² ← (RSS + 1e-6)/(N − Σγ + 1e-6) (noise_prior.h), Gaussian likelihood, at a mode whose
/// hessian_diagonal is known. The relevances 1 − alpha/H_kk are upper bounds, so no more than half
/// of the rows are counted as spent.
void update_noise(ArdState& state);

Fit run_ard_loop(const Design& design, const Target& target, const EngineOptions& options,
                 ArdMethod& method, const ProgressCallback& progress);

}  // namespace ardent
