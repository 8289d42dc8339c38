// Engine "growing": a relevance vector machine that grows once from nothing, in the least work.
//
// Model, objective and statistics are those of engine "sequential" (sequential.h), and so are the
// fixed points. What it leaves out is what a search for higher evidence spends its time on: no
// trial fit before an action, no second start, no exchanges. Each step
//
//   1. takes the basis that promises most,  ½(q²/s − 1 − log(q²/s)) nats at alpha = s²/(q² − s),
//      from a shortlist that is scanned again only when it must be (shortlist.h);
//   2. moves all other precisions at once, alpha ← γ/w² (MacKay), by a factor of 30 at most; beyond
//      alpha_max a weight is gone. (To let go of bases with q² ≤ s at once was tried: far from the
//      fixed point that is not yet true, and models rose and fell by 25 nats a step.)
//   3. finds the new mode in at most four Newton steps from the old one.
//
// When no basis promises more than 0.01 nats beyond its cost, the precisions settle with the
// A-stages of `exact` (precision_update.h), which cost N m² and need no scan; then all are scanned
// once more. The noise stays while an addition promises more than 0.1 nats; as it falls more is
// worth adding, so that for the Gaussian likelihood there is a look after every stage.
//
// Converged: no basis promises more, and no precision wants to change by `tolerance`, or twenty
// stages brought less than 1e-5 nats (Laplace's evidence need not rise to the last digit).
//
// On kernels the model that climbs least far predicts best: `exact` and the second start of
// `sequential` end at higher evidence, with more kernels and a higher log loss on fresh rows
// (docs/algorithms.md). Cost per step, m active of M: Bernoulli N M m/16 for the shortlist (N M m
// for a scan), N m²/2 for each Newton step; Gaussian N M + M m².
#pragma once

#include "ardent/inference/engine.h"

namespace ardent {

/// max_stages counts steps (0: 5000). Throws InputError for targets and designs that cannot be
/// fitted. Not having converged is a status in the report.
Fit fit_growing(const Design& design, const Target& target, const EngineOptions& options = {},
                const ProgressCallback& progress = {});

}  // namespace ardent
