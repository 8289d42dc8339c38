// Exported code from a row to scaled inputs.
#pragma once

#include "ardent/model/export/c_source.h"
#include "ardent/model/row_model.h"

namespace ardent {

/// @name_inputs(x, z) and @name_inputs_sparse(count, columns, values, z), columns ascending.
void add_c_inputs(CSource& source, const RowModel& model);

}  // namespace ardent
