// The one interface of all engines: fit(design, target, options) → {posterior, report}.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ardent/base/progress.h"
#include "ardent/design/design.h"
#include "ardent/inference/posterior.h"

namespace ardent {

enum class Likelihood { bernoulli, gaussian };

/// What the design is to explain: t in {0, 1} for Bernoulli (logit link), real for Gaussian.
struct Target {
  Likelihood likelihood = Likelihood::bernoulli;
  Vector t;
  Vector weights = {};  // empty, or one a row, >= 0: how often the row counts
};

/// Where an engine may begin instead of at alpha_init: what an earlier fit ended with, in the units
/// of the design's own columns. Columns that are not in it are left out; the engine sequential may
/// take them up again.
struct StartingPoint {
  std::vector<Index> active;  // ascending
  Vector alpha;               // one each, > 0
  Vector mean;                // one each
  double bias = 0;
  double noise_variance = 0;  // Gaussian likelihood only
};

/// What you ask of an engine. Precisions refer to standard units: columns scaled to RMS 1 and, for
/// the Gaussian likelihood, a target scaled to variance 1.
struct EngineOptions {
  bool bias = true;              // a free intercept (precision bias_precision, never pruned)
  double bias_precision = 1e-8;  // > 0; the evidence holds ½ log of it as a constant
  double alpha_init = 1e-3;      // > 0: initial precision of every weight
  double alpha_max = 1e6;        // > alpha_init: a weight is pruned when its precision exceeds this
  double tolerance = 0;  // >= 0: converged when max |Δ log alpha| falls below; 0: the engine's own
  Index max_stages = 0;  // >= 0: precision updates at most; 0: the engine's own limit
  double newton_tolerance = 1e-8;  // > 0: Newton decrement²/2, in nats, at which a mode is found
  Index max_newton = 50;           // >= 1: Newton steps per mode at most
  bool accelerate = true;    // exact: try each weight's own best precision where MacKay's is slow
  bool keep_path = false;    // keep the weights of every stage in the report
  bool covariance = true;    // the iterative engines: form the joint covariance if m <= 2,000
  Index probes = 20;         // >= 1; probes: random probes of the covariance's diagonal a stage
  bool second_start = true;  // sequential: from many bases, too, unless `start` is given
  bool warm_b = false;     // dqn: carry the diagonal B from stage to stage (published: start at I)
  std::uint64_t seed = 1;  // probes: of the random signs
  std::shared_ptr<const StartingPoint> start = nullptr;  // null: every column at alpha_init
};

/// The options with the engine's own tolerance where theirs is 0.
inline EngineOptions with_tolerance(EngineOptions options, double own) {
  if (options.tolerance == 0) options.tolerance = own;
  return options;
}

/// options.max_stages, or the engine's own limit where that is 0.
inline Index stage_limit(const EngineOptions& options, Index own) {
  return options.max_stages > 0 ? options.max_stages : own;
}

/// Throws InputError naming field, rule and value.
void validate(const EngineOptions& options);

using Engine = Fit (*)(const Design&, const Target&, const EngineOptions&, const ProgressCallback&);

}  // namespace ardent
