// Standard units: what engines work in, so that results do not depend on the caller's units.
//
// Columns are divided by their RMS, and zero columns are left out. A Gaussian target is divided by
// its standard deviation after its mean is taken off (without a bias there is nothing to absorb the
// mean: it is divided by its RMS instead). A weight in the caller's units is then
//   w = w' · target_scale/rms,   alpha = alpha' · (rms/target_scale)²,   b = b'·target_scale +
//   shift
// so a bias prior of precision τ in standard units is centred at the target's mean.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ardent/inference/evidence/evidence.h"

namespace ardent {

struct StandardUnits {
  Vector column_rms;        // of every column of the caller's design; 0: left out
  double target_shift = 0;  // Gaussian
  double target_scale = 1;  // Gaussian; 0: the target is constant and needs no weight
};

struct StandardProblem {
  ActiveProblem problem;
  StandardUnits units;
};

/// Checks the input (InputError) and brings it to standard units; adds what the user should know to
/// `warnings`.
StandardProblem standardise(const Design& design, const Target& target,
                            const EngineOptions& options, std::vector<std::string>& warnings);

/// A starting point in standard units, of the problem's columns at `positions`.
struct StandardStart {
  std::vector<Index> positions;  // ascending
  Vector alpha;
  Vector w;
  double bias = 0;
  double noise_variance = 1;  // at the noise's floor at least
};

/// Nothing where options.starting_point is null, or names no column of the problem. InputError if
/// it contradicts itself.
std::optional<StandardStart> standard_start(const StandardProblem& standard,
                                            const EngineOptions& options);

/// log of the volume that one unit of the standardised target has in the caller's units.
double log_volume(const StandardUnits& units, double row_count);

/// A posterior in standard units, brought to the caller's; the log evidence is left alone.
Posterior to_callers_units(Posterior posterior, const StandardUnits& units);

/// Weights in standard units of these columns (and the bias: 0 if there is none), brought to the
/// caller's.
PathPoint path_point(std::vector<Index> columns, const Eigen::Ref<const Vector>& w, double bias,
                     const StandardUnits& units);

/// The weights of a state, brought to the caller's units.
PathPoint path_point(const EvidenceState& state, const StandardUnits& units);

/// A constant target needs no weights: the bias is the constant, the noise is at its floor, taken
/// relative to the constant since there is no variance to be relative to.
void settle_constant_target(ActiveProblem& problem, StandardUnits& units,
                            std::vector<std::string>& warnings);
/// `jitter`: of the factorisation that the posterior comes from.
void warn_of_jitter(double jitter, std::vector<std::string>& warnings);

/// The state's posterior in the caller's units. The joint covariance is left empty where it would
/// need more than 2 GiB; the variances are always there.
Posterior to_posterior(const EvidenceState& state, const StandardUnits& units);

}  // namespace ardent
