// Exported code from scaled inputs to the parts' predictors: basis functions, f and its variance.
#pragma once

#include "ardent/model/export/c_source.h"
#include "ardent/model/row_model.h"

namespace ardent {

/// rbf, elm: @name_basis(z, phi); needs @name_exp, or @name_sigmoid.
void add_c_basis(CSource& source, const RowModel& model);
/// @name_score(part, phi): f. Where some part has a covariance, @name_variance(part, phi), too: in
/// double by φᵀΣφ, as the library has it; in float by ‖Lᵀφ‖² with Σ = LLᵀ, which cancels less.
void add_c_scores(CSource& source, const RowModel& model);
/// rbf regression: @name_process_variance(z, mean).
void add_c_process(CSource& source, const RowProcess& process);

}  // namespace ardent
