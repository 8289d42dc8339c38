// Squared distances between rows and centres, ‖x_i − z_k‖²: what kernels of every width share.
#pragma once

#include "ardent/data/matrix.h"
#include "ardent/design/row_source.h"

namespace ardent {

/// Computed when they are asked for. Rows and centres may each be dense or sparse, of equally many
/// columns.
std::shared_ptr<const RowSource> squared_distances(const Features& rows, const Features& centres);

/// Computed now and kept: N×M doubles, to the bit those that a design in memory would compute.
std::shared_ptr<const RowSource> held_in_memory(std::shared_ptr<const RowSource> distances);

}  // namespace ardent
