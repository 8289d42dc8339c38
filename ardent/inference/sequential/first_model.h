// Where the engines that grow a model begin, and what they say of its end.
#pragma once

#include <string>
#include <vector>

#include "ardent/inference/evidence/standard_units.h"
#include "ardent/inference/sequential/actions.h"

namespace ardent {

/// No column at all.
SequentialModel bias_alone(const ActiveProblem& candidates, double noise_variance,
                           const EngineOptions& options);
/// The same for a target that is constant.
SequentialModel constant_model(ActiveProblem& candidates, const EngineOptions& options,
                               StandardUnits& units, std::vector<std::string>& warnings);
/// Where the caller says to begin, or else nothing but the bias.
SequentialModel first_model(const StandardProblem& standard, const EngineOptions& options);

/// The addition that gains most; where none gains anything, the best of them at alpha_max.
Action first_action(const SequentialModel& empty, const BasisStatistics& statistics,
                    const EngineOptions& options);

/// Warnings about the model at which an engine ended; one of them turns `converged` into `stalled`.
void warn_of_end(const SequentialModel& model, const EngineOptions& options, Report& report);

}  // namespace ardent
