// Few columns and few rows: the mean of all subsets, of the columns that most subsets want.
//
// The model keeps the columns of the median probability model (Barbieri and Berger 2004), those
// whose subsets have at least half of the probability (subset_average.h): of models with one
// support that is the one to predict with. Weights and covariance are those of the mixture of all
// subsets, so that a column in doubt is shrunk by as much, and its doubt is in the intervals and
// the moderated probabilities.
#pragma once

#include <optional>

#include "ardent/inference/engine.h"

namespace ardent {

/// Whether there are from two to ten columns, at most 20 rows for each, all of them here, and a
/// bias. More rows tell subsets apart.
bool can_ask_subsets(const Design& design, const Target& target, const EngineOptions& options);

/// Nothing where no column is kept, or the target is constant.
std::optional<Posterior> fit_subsets(const Design& design, const Target& target,
                                     const EngineOptions& options);

}  // namespace ardent
