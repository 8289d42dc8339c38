// The one interface of all engines: fit(design, target, options) → {posterior, report}.
#pragma once

#include <vector>

#include "ardent/base/progress.h"
#include "ardent/design/design.h"
#include "ardent/inference/engine_options.h"
#include "ardent/inference/posterior.h"

namespace ardent {

enum class Likelihood { bernoulli, gaussian };

/// What the design is to explain: t in {0, 1} for Bernoulli (logit link), real for Gaussian.
struct Target {
  Likelihood likelihood = Likelihood::bernoulli;
  Vector t;
  Vector weights = {};  // empty, or one per row, >= 0: how often the row counts
};

using Engine = Fit (*)(const Design&, const Target&, const EngineOptions&, const ProgressCallback&);

}  // namespace ardent
