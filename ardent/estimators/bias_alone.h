// The model of a bias and nothing else: whether it is enough, and how a fit is reduced to it.
#pragma once

#include <string>

#include "ardent/inference/engine.h"

namespace ardent {

/// What the kept columns add to the log-likelihood of the bias alone.
double gain_over_bias(const Design& design, const Target& target, const Posterior& posterior);

/// That there is no column to keep; not so where another model's columns are taken.
bool says_no_column(const std::string& warning);

/// Where no column is worth its price engines hold one at a weight of next to nothing: it goes, and
/// the bias takes the target's mean.
void leave_bias_alone(const Design& design, const Target& target, Fit& fit);

/// Whether the bias alone is likelier than what few columns, which had no price one by one, say
/// together: the evidence of what is kept less what its size costs is below that of the bias. Of
/// columns that say nothing the evidence alone keeps every third.
bool bias_is_likelier(const Design& design, const Target& target, const EngineOptions& options,
                      const Posterior& posterior);

}  // namespace ardent
