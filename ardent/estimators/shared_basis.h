// The basis functions that the parts of a model share.
#pragma once

#include <vector>

#include "ardent/inference/posterior.h"

namespace ardent {

/// Makes the parts' active sets refer to the union of what they keep, and returns that union.
std::vector<Index> share_basis(Index candidates, std::vector<Fit>& fits);

}  // namespace ardent
