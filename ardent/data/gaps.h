// Missing values, NaN in dense rows: what is to stand there is found on the training rows and kept
// with the model's scaling.
#pragma once

#include <span>

#include "ardent/data/matrix.h"

namespace ardent {

/// The mean of each column over the rows that have a value, counted by `weights` (none: each once);
/// 0 where none has.
Vector column_means_over_gaps(const Features& features, std::span<const double> weights = {});

/// With fill[k] for what is missing in column k; sparse rows lack nothing and stay as they are.
Features filled(const Features& features, const Vector& fill);

}  // namespace ardent
