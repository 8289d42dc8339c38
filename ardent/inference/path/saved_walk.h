// ℓ1's solution on a walk along its path, in a checkpoint.
//
// Kept are the weights; f and correlations follow from them, and are formed anew at each
// checkpoint, whether the walk is stopped there or not.
#pragma once

#include "ardent/base/container.h"
#include "ardent/inference/path/l1_solver.h"

namespace ardent {

/// The last step that is done, and ℓ1's solution there.
void add_solution(Index step, const L1Solution& solution, ContainerWriter& file);
/// The step after it.
Index next_step(const Container& file);
L1Solution read_solution(const L1Problem& problem, const Container& file);

}  // namespace ardent
