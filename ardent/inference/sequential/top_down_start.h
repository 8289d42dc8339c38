// A second start for the sequential engine: from many bases at once, as `exact` starts.
//
// Growing from nothing and pruning from all end in different maxima of the evidence, and neither is
// always the higher one.
// So the bases that growing chose and others drawn evenly, √(1e9/N) in all (all of up to 1,000
// kernels; none beyond 400,000 rows), are put in together and pruned with the A-stages of `exact`
// (precision_update.h); the engine goes on from there with its own steps, and the better end of the
// two is kept.
#pragma once

#include <optional>

#include "ardent/base/progress.h"
#include "ardent/inference/sequential/actions.h"

namespace ardent {

/// The model after pruning; nothing if it would cost too much, or adds nothing new.
/// `progress` may stop it: nothing, too.
std::optional<SequentialModel> pruned_from_many(const ActiveProblem& candidates,
                                                const std::vector<Index>& chosen,
                                                const EngineOptions& options,
                                                const ProgressCallback& progress);

}  // namespace ardent
