// What the loop of diagonal, dqn and probes (ard_loop.h) works on, and what tells them apart.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ardent/base/container.h"
#include "ardent/inference/engine_options.h"
#include "ardent/inference/engines/precision_steps.h"
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
  bool loose_start = false;      // the first modes serve the next precisions alone
  Vector hessian_diagonal;       // H_kk at the point, once the MAP-stage is done
  double evidence = 0;           // with Hadamard's bound, at the same time
  Strides strides = {};

  Index active() const { return std::ssize(columns); }
  /// Of the mode of this stage, where precisions take long steps (strides.h): the crowd of the
  /// first stages over-fits, and most of it is gone before it would have settled.
  double tolerance_of_stage() const {
    constexpr double kLoose = 10;
    return mode_tolerance * (loose_start && strides.stages < kFirstLongStage ? kLoose : 1);
  }
  MapObjective objective() const { return {*phi, likelihood, t, row_weights, noise_variance}; }
};

class ArdStages;

/// What tells one engine from another.
class ArdMethod {
 public:
  virtual ~ArdMethod() = default;
  virtual std::string name() const = 0;
  /// Where the stages are computed: here, unless the engine asks options.accelerator. The
  /// references must outlive the result.
  virtual std::unique_ptr<ArdStages> stages(ArdState& state, const EngineOptions& options);
  /// Moves state.point, evaluated, towards the mode; it stays evaluated. Returns its steps.
  virtual Index find_mode(ArdState& state) = 0;
  virtual PrecisionUpdate updated_precisions(const ArdState& state) = 0;
  /// Whether the stages end, where no tolerance is given, when the evidence has (ard_loop.h).
  virtual bool ends_by_evidence() const { return false; }
  /// The columns at these positions (bias included) are kept.
  virtual void keep(std::span<const Index> positions) { (void)positions; }
  /// What it carries from stage to stage beside the state, for a checkpoint; and from one, where
  /// `size` weights are left.
  virtual void leave(ContainerWriter& file) const { (void)file; }
  virtual void take_up(const Container& file, Index size) { (void)file, (void)size; }
};

}  // namespace ardent
