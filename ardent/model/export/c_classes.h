// Exported code from the parts' predictors to classes and their probabilities, as model/combine.h.
#pragma once

#include "ardent/model/export/c_source.h"
#include "ardent/model/row_model.h"

namespace ardent {

/// @name_classify(phi, p): the probabilities of the classes; returns the most probable. Needs
/// @name_score, @name_sigmoid, and what of @name_variance, @name_exp and @name_log the model uses.
void add_c_classes(CSource& source, const RowModel& model);

/// Bytes on the stack of @name_classify.
Index c_classes_stack(const CSource& source, const RowModel& model);

}  // namespace ardent
