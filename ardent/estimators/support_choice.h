// Whether columns get a price (inference/support_prior.h), where the user leaves it to us.
//
// Of a linear map every feature is a candidate; of the others the effective number counts.
// A regression always gets the price: the evidence alone fits noise as soon as columns are not few
// against rows, and where they are few, or so correlated that they count as few, the price hardly
// matters. For classes no one rule wins everywhere: with independent columns the price wins by far,
// with rows few and columns strongly correlated (microarrays) the evidence alone. So both are
// fitted; where they keep different columns, five inner folds that repeat the selection decide by
// the log-likelihood of held-out rows, moderated as predictions are. Where folds would take long
// (1e9 multiplications for one Hessian) the evidence stays alone, as the engine for such sizes has
// always been.
#pragma once

#include "ardent/estimators/training_set.h"

namespace ardent {

struct SupportDecision {
  SupportChoice prior = SupportChoice::none;
  double candidates = 0;    // of that prior; 0: their effective number
  std::string reason = "";  // empty: the user's own choice
};

/// options.support_prior, or what it means here if that is auto. `engine` is a name, not auto.
SupportDecision choose_support_prior(const TrainingSet& set, const Problem& problem,
                                     const TrainOptions& options, const std::string& engine,
                                     const ProgressCallback& progress);

}  // namespace ardent
