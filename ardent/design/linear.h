// The linear map: Phi is the features themselves.
#pragma once

#include "ardent/data/matrix.h"
#include "ardent/design/design.h"

namespace ardent {

/// A DenseDesign of dense features (copied to column-major), a SparseDesign of sparse ones
/// (shared).
std::unique_ptr<Design> linear_design(const Features& features);

}  // namespace ardent
