// Many weighted LASSOs over one dictionary, round by round together.
//
// Alone, a solve reads most atoms of the dictionary from memory several times, for one product
// each. Here every round asks for the products of all signals at once, so that an atom that many of
// them want is read once. Each result has the bits of solve_working_sets on its own.
#pragma once

#include <span>
#include <vector>

#include "ardent/inference/coding/working_set_solver.h"

namespace ardent {

/// Problems of one dictionary, each from nothing. Parallel.
std::vector<LassoResult> solve_group(const Dictionary& dictionary,
                                     std::span<const LassoProblem> problems,
                                     const LassoOptions& options);

}  // namespace ardent
