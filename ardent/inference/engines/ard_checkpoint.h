// The state of the loop of diagonal, dqn and probes between two stages.
//
// Weights and precisions of the columns that are left, the noise, and what the method carries
// along: numbers of columns alone, so that a state of rows that several processes share is in one
// file. A stage that follows a checkpoint begins at f = Phi w of its own weights, taken up or not.
#pragma once

#include "ardent/inference/engines/ard_stages.h"
#include "ardent/inference/posterior.h"

namespace ardent {

/// After `stage`, where options.checkpoint wants it.
void leave_state(ArdStages& stages, const ArdMethod& method, Index stage, double change,
                 const Report& report, const EngineOptions& options);

/// Takes up what options.checkpoint found; the stage after which it was left, 0: there is nothing.
Index take_up_state(ArdState& state, ArdMethod& method, double& change, Report& report,
                    const EngineOptions& options);

}  // namespace ardent
