// The mean of two linear models of classes, as one: what each gets wrong by chance is halved.
//
//   f = ½ (f of one + f of the other),   w_k = ½ (w_k + w'_k),   0 where a column is not kept
//
// Under the priors of both, as if they were independent, w_k ~ N(0, ¼ (1/α_k + 1/α'_k)); the
// posterior is Laplace's about the mean weights for these. Probabilities are those of the mean
// weights: halving has shrunk what one of the two alone believes in.
#pragma once

#include "ardent/inference/engine.h"

namespace ardent {

/// The report is that of `one`, with a last stage and the notes of `other`.
Fit averaged_fit(Fit one, const Fit& other, const Design& design, const Target& target,
                 const EngineOptions& options);

}  // namespace ardent
