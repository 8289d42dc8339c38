// Pruning by the price of a column, for the engines that begin with all of them.
//
// A column that brings less evidence, at its own best precision, than it costs (support_prior.h) is
// one too many. Contributions of correlated columns do not add up, so a set of them goes only if
// the objective rises; else the less valuable half of it is tried, down to a single one.
#pragma once

#include "ardent/inference/evidence/evidence.h"

namespace ardent {

/// False, and nothing has changed, where no column is worth less than it costs. One always stays.
bool drop_costly(EvidenceState& state, const EngineOptions& options);

/// Nats that a weight brings at its best precision, of its signal q²/s.
double best_gain(double signal);

}  // namespace ardent
