// What you ask of an engine.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ardent/base/option_schema.h"
#include "ardent/base/types.h"

namespace ardent {

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

class Accelerator;
class StageCheckpoint;

/// Whether columns have a price (support_prior.h).
enum class SupportChoice { none, beta_binomial };

/// Which stop of the path engine: the best, or the fewest weights within a standard error of it.
enum class PathRule { min, one_standard_error };

/// Precisions refer to standard units: columns scaled to RMS 1 and, for the Gaussian likelihood, a
/// target scaled to variance 1.
struct EngineOptions {
  bool bias = true;                // a free intercept (precision bias_precision, never pruned)
  double bias_precision = 1e-8;    // > 0; the evidence holds ½ log of it as a constant
  double alpha_init = 1e-3;        // > 0
  double alpha_max = 1e6;          // > alpha_init
  double tolerance = 0;            // 0: the engine's own
  Index max_stages = 0;            // 0: the engine's own limit
  double newton_tolerance = 1e-8;  // > 0: Newton decrement²/2, in nats, at which a mode is found
  Index max_newton = 50;           // >= 1: Newton steps per mode at most
  bool accelerate = true;    // exact: try each weight's own best precision where MacKay's is slow
  bool keep_stages = false;  // keep the weights of every stage in the report
  bool covariance = true;    // the iterative engines: form the joint covariance if m <= 2,000
  Index probes = 20;         // of the covariance's diagonal
  bool second_start = true;  // not where a starting point is given
  bool warm_b = false;       // published: start at I
  std::uint64_t seed = 1;    // probes: of the random signs; path: of the folds
  SupportChoice support_prior = SupportChoice::none;
  double candidates = 0;          // of that prior; 0: their effective number
  Index reweightings = 2;         // path: at most
  bool ridge = true;              // path, sparse columns: let the folds choose an l2 term, too
  Index size = 0;                 // path: as many weights; 0: the folds decide
  Index max_features = 0;         // path: at most so many weights; 0: no limit
  PathRule rule = PathRule::min;  // path
  std::shared_ptr<const StartingPoint> starting_point = nullptr;  // null: columns at alpha_init
  std::shared_ptr<StageCheckpoint> checkpoint = nullptr;          // of this fit alone; null: none
  std::shared_ptr<Accelerator> accelerator = nullptr;             // null: the processor
  bool processor_will_do = false;  // for an engine that the accelerator does not have
};

/// Those that a user may set; the others are for tests and for the library itself.
inline Schema schema(EngineOptions& options) {
  Schema schema;
  schema.add("bias", options.bias, "a free intercept, never pruned");
  schema.group("evidence");
  schema.add("alpha-init", options.alpha_init,
             "initial precision of every weight (columns scaled to root mean square 1)", above(0));
  schema.add("alpha-max", options.alpha_max, "a weight is pruned when its precision exceeds this",
             above(0));
  schema.add("tolerance", options.tolerance,
             "converged when max |change of log alpha| is below this; auto: exact 1e-7 or "
             "rounding, diagonal when its log evidence settles to 1e-5 a row, the others 1e-3",
             above(0), "auto");
  schema.add("max-stages", options.max_stages,
             "updates of the precisions, at most; 0: the engine's own limit (exact 1000; diagonal, "
             "dqn and probes 100; sequential 5000 single weights)",
             0);
  schema.add("keep-stages", options.keep_stages,
             "keep every stage's weights in the model, for evaluate --every-stage and predict "
             "--stage");
  schema.group("probes", {where("engine", {"probes"})});
  schema.add("probes", options.probes, "engine probes: random probes per stage", 1);
  schema.group("sequential", {where("engine", {"sequential"})});
  schema.add("second-start", options.second_start,
             "engine sequential: having grown a model from nothing, prune one from many columns, "
             "too, and keep the one of higher evidence; off: several times faster");
  schema.group("path", {where("engine", {"path"})});
  schema.add("reweightings", options.reweightings,
             "engine path: from each l1 solution, steps towards sparse Bayesian learning, at most; "
             "the folds choose how many; 0: l1 alone",
             0);
  schema.add(
      "ridge", options.ridge,
      "engine path, sparse data: walk two more paths, each with an l2 term beside l1, and let "
      "the folds choose among all; off: the path of l1 and its reweightings alone");
  schema.add("rule", options.rule,
             "engine path: min, the stop of the best score on the folds; 1se, the one with the "
             "fewest weights whose score is within a standard error of it",
             {"min", "1se"});
  schema.add("max-features", options.max_features,
             "engine path: the folds choose among models of at most so many weights; 0: no limit",
             0);
  schema.add("size", options.size,
             "engine path: the largest model on the path with at most so many weights, whatever "
             "the folds say of its size; 0: the folds decide",
             0);
  schema.group("dqn", {where("engine", {"dqn"})});
  schema
      .add("warm-b", options.warm_b,
           "engine dqn: carry the diagonal B from stage to stage (published: off)")
      .also_in("published");
  return schema;
}

/// Throws InputError naming field, rule and value.
void validate(const EngineOptions& options);

/// The options with the engine's own tolerance where theirs is 0.
inline EngineOptions with_tolerance(EngineOptions options, double own) {
  if (options.tolerance == 0) options.tolerance = own;
  return options;
}

/// options.max_stages, or the engine's own limit where that is 0.
inline Index stage_limit(const EngineOptions& options, Index own) {
  return options.max_stages > 0 ? options.max_stages : own;
}

}  // namespace ardent
