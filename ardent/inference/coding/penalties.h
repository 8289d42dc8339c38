// Penalties of the weighted LASSO as the caller gives them, checked and brought into one form.
#pragma once

#include <vector>

#include "ardent/inference/coding/lasso_problem.h"

namespace ardent {

/// w = λu; kNeverUsed for atoms of length 0. InputError if λ is not positive, or a penalty is
/// negative, no number, or their count is not that of the atoms.
Vector effective_weights(const Dictionary& dictionary, const Vector& penalties, double lambda);

/// Atoms whose weight is 0.
std::vector<Index> unpenalised(const Vector& weights);

/// InputError if the signal has another length than the atoms, or a number that is not finite.
void check_signal(const Dictionary& dictionary, const Vector& signal);

}  // namespace ardent
