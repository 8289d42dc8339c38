// Supports along an ℓ1 path as places for an evidence engine to begin.
//
// Growing one column at a time is misled where columns share a factor: the first ones stand in for
// many. ℓ1 weighs all columns at once. So the path over all rows (one reweighting each, l1_path.h)
// is walked until a third as many columns as rows are in, and every support that has grown by half
// is a start.
#pragma once

#include <vector>

#include "ardent/inference/evidence/standard_units.h"

namespace ardent {

/// In standard units; a dozen at most.
std::vector<StandardStart> path_starts(const ActiveProblem& problem, bool bias);

}  // namespace ardent
