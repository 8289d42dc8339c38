// One width per feature for the rbf map of a regression, as a scaling of the features
// (inference/evidence/feature_factors.h).
#pragma once

#include <string>

#include "ardent/estimators/training_set.h"

namespace ardent {

/// Learns the factors of the set's regression and scales its inputs by them; returns what the
/// report is to say. InputError where the set has classes, or a scale that knows no factors.
std::string scale_by_feature_widths(TrainingSet& set);

}  // namespace ardent
