// What is checked of rows that come from outside before their indices are believed.
#pragma once

#include <cstddef>
#include <string>

#include "ardent/data/matrix.h"

namespace ardent {

bool finite_values(const float* values, std::size_t count);
bool finite_values(const double* values, std::size_t count);

/// What is wrong with sparse rows: "do not fit together: …", "have columns or values that cannot
/// be: …" with the first such row, counted from 1. Empty: nothing. Values may be anything where
/// `finite` is false.
std::string sparse_fault(const SparseRows& sparse, bool finite = true);

}  // namespace ardent
