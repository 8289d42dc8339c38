// A few rows of a data set whose rows several processes share, brought together in each of them.
#pragma once

#include <cstdint>
#include <span>

#include "ardent/data/dataset.h"

namespace ardent {

/// The first of so many stratified folds of all rows, the same in every process, where all of it
/// is: what select_rows gives of the whole. `data`: sparse, shared. `class_of`: of its rows.
Dataset gathered_fold(const Dataset& data, std::span<const std::uint32_t> class_of, Index folds,
                      std::uint64_t seed);

}  // namespace ardent
