// The λ of a signal, and the steps down to it.
#pragma once

#include <vector>

#include "ardent/inference/coding/reweighted_l1.h"

namespace ardent {

/// What the options ask for, `largest` being the λ from which on the first code is zero; 0:
/// automatic.
double asked_lambda(double largest, const CodeOptions& options);

/// From `largest` down to `last`, evenly in the logarithm: options.lambda_steps of them at most.
std::vector<double> lambdas_down_to(double last, double largest, const CodeOptions& options);

}  // namespace ardent
