// Exchanges: where no single action of the sequential engine raises the evidence, an active basis
// may still be worth less than another one in its place (kernels on neighbouring rows).
//
// For each active j, the least missed first: take j out, add the basis that then gains most,
// re-estimate all precisions together where that helps, and keep the result if the evidence has
// risen by 1e-3 nats. One round costs m scans (scan.h); beyond 1e10 multiplications a
// round is not begun.
#pragma once

#include "ardent/inference/sequential/actions.h"

namespace ardent {

/// True if an exchange was made.
bool exchange_one(const ActiveProblem& candidates, const EngineOptions& options, BasisScan& scan,
                  SequentialModel& model, Index& newton_steps);

}  // namespace ardent
