// Rows that are given more than once.
#pragma once

#include <vector>

#include "ardent/data/matrix.h"

namespace ardent {

/// For each row the first row with the same numbers: itself, where there is none before it.
std::vector<Index> first_copies(const Features& features);

/// The place of each row among the distinct rows ordered by their bytes: copies have one place, and
/// the order in which rows are given has no part in it.
std::vector<Index> content_ranks(const Features& features);

}  // namespace ardent
