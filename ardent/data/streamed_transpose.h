// The transpose of sparse rows that do not fit into memory.
#pragma once

#include "ardent/data/matrix.h"

namespace ardent {

/// Like transposed() into this room. Rows are read twice in their order, pages of the result are
/// written whole, and twice at most.
SparseRows streamed_transpose(const SparseRows& sparse, EntryRoom room);

}  // namespace ardent
