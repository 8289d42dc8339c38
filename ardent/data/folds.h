// Seeded folds for cross-validation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ardent/base/types.h"

namespace ardent {

struct Split {
  std::vector<Index> train;  // ascending
  std::vector<Index> test;   // ascending
};

/// Shuffles the rows of each class and deals them out in turn, so that every fold has each class's
/// share to within one row. Throws InputError if a class has fewer rows than folds.
std::vector<Split> stratified_folds(std::span<const std::uint32_t> classes, Index folds,
                                    std::uint64_t seed);

/// The same without classes, for regression.
std::vector<Split> shuffled_folds(Index rows, Index folds, std::uint64_t seed);

}  // namespace ardent
