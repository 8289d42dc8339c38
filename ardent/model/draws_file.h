// The draws of a doubly sparse model in its file: a few arrays in which the numbers of all draws
// of all parts lie one after the other.
//
//   draws.counts   for each part its draws; then for each draw its inputs and its centres
//   draws.inputs, draws.centres, draws.weights
//   draws.scalars  bias, delta, noise variance of each draw
//   draws.inclusion  each part's inclusion probabilities of the inputs
#pragma once

#include <vector>

#include "ardent/model/array_file.h"
#include "ardent/model/model.h"

namespace ardent {

void add_draws(ArrayFileWriter& file, const std::vector<Part>& parts);

/// Sizes are checked against the arrays; what the numbers mean is not (see check_draws).
void read_draws(const ArrayFile& file, std::vector<Part>& parts);

}  // namespace ardent
