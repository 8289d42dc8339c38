// What a training needs in memory whatever is left on disk, and what cannot be left there.
#pragma once

#include "ardent/data/dataset.h"
#include "ardent/estimators/train_options.h"

namespace ardent {

/// Bytes of the vectors with a number per row or column that the training holds at once, about.
double vector_bytes(const Dataset& data, const TrainOptions& options);

/// Under a limit of memory (base/memory_limit.h): InputError that says what to do where the
/// training would not stay within it, because its vectors alone are too many, or because it needs
/// the rows in memory: dense data, other maps, engines with a Hessian.
void require_memory(const Dataset& data, const TrainOptions& options);

}  // namespace ardent
