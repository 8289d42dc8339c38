// What every engine returns: the posterior of the weights, and the report of how it was reached.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ardent/base/types.h"

namespace ardent {

/// Gaussian posterior of the surviving weights, in the units of the design's own columns.
struct Posterior {
  std::vector<Index> active;  // design columns that survive, ascending; m of them
  Vector mean;                // m
  Vector alpha;               // m: prior precisions
  Vector gamma;       // m: relevance 1 − alpha Σ_kk in [0, 1]: how far the data fix a weight
  Matrix covariance;  // (m+b)×(m+b), the bias (if any, b = 1) last; 0×0 if not computed
  Vector variance;    // m+b: its diagonal, or an estimate of it
  bool has_bias = false;
  double bias = 0;
  double noise_variance = 0;  // Gaussian likelihood only
  double log_evidence = 0;    // Laplace approximation for the Bernoulli likelihood
  bool plug_in = false;       // probabilities are those of the mean: the fit was chosen by them
};

enum class Status { converged, iteration_limit, stalled, stopped, chosen_stage };
std::string_view status_name(Status status);
Status parse_status(std::string_view name);

struct Stage {
  double log_evidence = 0;
  Index active = 0;
  Index newton_steps = 0;
  double change = 0;     // max |Δ log alpha|
  double objective = 0;  // exact, sequential: evidence + log priors, which never falls
};

/// The weights of one stage, in the caller's units.
struct PathPoint {
  std::vector<Index> active;
  Vector mean;
  double bias = 0;
};

/// Products with the design on an accelerator.
struct Passes {
  Index count = 0;
  double values = 0;  // that all of them read
};

struct Report {
  Status status = Status::iteration_limit;
  std::vector<Stage> stages;
  std::vector<PathPoint> path;  // one per stage, where asked for
  std::vector<std::string> warnings;
  std::vector<std::string> notes;  // what was chosen on the way, and why
  double candidates = 0;           // of the prior on the support: P of support_prior.h; 0: none
  double seconds = 0;
  Passes passes = {};
  std::string engine = {};  // which one training used; like the seconds not part of a model file
};

struct Fit {
  Posterior posterior;
  Report report;
};

}  // namespace ardent
