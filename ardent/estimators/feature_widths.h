// One width per feature for the rbf map of a regression or of two classes, as a scaling of the
// features (inference/evidence/feature_factors.h), and whether it pays.
//
// Where some features say nothing a width of its own for each is worth much (a tenth of the
// variance); where all say as much, the factors are d more numbers to get wrong. So two models are
// trained on three quarters of the distinct rows, one of each kind, everything included, and judged
// by the log predictive density of the others: the factors are taken where they win by more than
// two standard errors of the differences. While they are ahead, but not clearly, another quarter is
// asked (going on where they are a little behind gained nothing on thirteen sets).
//
// Cost: two to eight fits of 750 rows at most, widths chosen on folds included.
#pragma once

#include <string>

#include "ardent/estimators/class_choice.h"
#include "ardent/estimators/training_set.h"

namespace ardent {

struct FeatureWidthDecision {
  bool per_feature = false;
  std::string note = "";  // where rows were asked: what they said
};

/// `data`: as it was given; `options`: all but `widths` and `sigma` is decided. Common where
/// `widths` or `sigma` says so, and where there are too few rows to ask.
FeatureWidthDecision choose_feature_widths(const Dataset& data, const TrainingSet& set,
                                           const TrainOptions& options,
                                           const TrainRows& train_rows);

/// Learns the factors of the set's regression, or of its two classes as the targets 0 and 1, and
/// scales its inputs by them; returns what the report is to say. InputError where the set has more
/// classes, or a scale that knows no factors.
std::string scale_by_feature_widths(TrainingSet& set);

}  // namespace ardent
