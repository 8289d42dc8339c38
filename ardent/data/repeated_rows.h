// Rows that are given more than once.
#pragma once

#include <vector>

#include "ardent/data/matrix.h"

namespace ardent {

/// For each row the first row with the same numbers: itself, where there is none before it.
std::vector<Index> first_copies(const Features& features);

}  // namespace ardent
