// From sampled states to a Model.
#pragma once

#include "ardent/estimators/mask_sampling.h"

namespace ardent {

/// Fills inputs, scaling, basis and parts. Only features and basis points that are on in some draw
/// are kept; `scaled` and `scaling` are of the columns that each fit names.
void bundle_draws(const Dataset& data, const Matrix& scaled, const Scaling& scaling,
                  const std::vector<SampledMasks>& sampled, Model& model);

}  // namespace ardent
