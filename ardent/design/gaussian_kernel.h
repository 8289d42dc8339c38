// The Gaussian kernel between rows and centres: phi_ik = exp(−‖x_i − z_k‖² / σ²).
#pragma once

#include "ardent/data/matrix.h"
#include "ardent/design/lazy.h"
#include "ardent/design/squared_distances.h"

namespace ardent {

/// Rows and centres may each be dense or sparse. In memory where N×M doubles fit `memory_limit`
/// bytes, computed at each use otherwise. σ > 0, finite.
std::unique_ptr<Design> gaussian_kernel_design(const Features& rows, const Features& centres,
                                               double sigma,
                                               std::size_t memory_limit = kMaterialiseLimitBytes);

/// The same from squared distances, which kernels of other widths may share; the same bits where
/// the design is in memory.
std::unique_ptr<Design> gaussian_kernel_design(std::shared_ptr<const RowSource> distances,
                                               double sigma,
                                               std::size_t memory_limit = kMaterialiseLimitBytes);

}  // namespace ardent
