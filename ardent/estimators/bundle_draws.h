// From sampled states to a Model.
#pragma once

#include "ardent/estimators/doubly_sparse_sampling.h"

namespace ardent {

/// Fills parts and draws of a model whose inputs are the columns of `scaled`: of those, and of the
/// basis points, only the ones that are on in some draw are kept.
void bundle_draws(const Features& scaled, const std::vector<DoublySparseSample>& sampled,
                  Model& model);

}  // namespace ardent
