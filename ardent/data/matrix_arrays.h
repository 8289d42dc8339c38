// A matrix in a container: dense, one array NAME of two dimensions; sparse, NAME.offsets,
// NAME.columns and NAME.values (compressed sparse rows).
#pragma once

#include <string>

#include "ardent/base/container.h"
#include "ardent/data/matrix.h"

namespace ardent {

void add_matrix(ContainerWriter& file, const std::string& name, const Features& matrix);

/// InputError where there is none of that name, or none of two dimensions.
DenseRows read_dense(const Container& file, const std::string& name);
/// Rows are as many as there are offsets for; what these and the columns are is not looked at.
SparseRows read_sparse(const Container& file, const std::string& name, Index cols);

}  // namespace ardent
