// Mean and variance of each part's linear predictor f(x) = Σ_k w_k phi_k(x) + bias under the
// posterior of its weights.
#pragma once

#include "ardent/model/model.h"

namespace ardent {

struct Moments {
  Matrix mean;      // rows × parts
  Matrix variance;  // rows × parts: φᵀΣφ, bias included; 0×0 if not asked for
};

/// Of rows whose columns are the model's inputs, scaled. Keeps rows × basis functions in memory:
/// give it blocks of rows (see rows_per_block). Without a part's covariance, the diagonal stands
/// for it.
Moments part_moments(const Model& model, const Features& scaled, bool with_variance);

/// Rows to give at once; depends on the model alone.
Index rows_per_block(const Model& model);

}  // namespace ardent
