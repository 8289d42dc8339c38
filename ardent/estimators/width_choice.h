// The width of the rbf map, where the user leaves it to us: chosen on folds.
//
// The evidence prefers kernels that are too narrow, and so does leaving rows out at a support that
// they had a say in. So each of five widths, ¼, ½, 1, 2 and 4 times the median distance between
// training rows, is judged by models that have not seen the rows they are judged on: four folds,
// each grown from nothing (growing.h), scored by the log-likelihood of held-out rows (classes by
// moderated probabilities, a regression by its predictive density). The walk begins at 1 and 2 and
// goes on in the better direction while the score rises; narrow kernels take longest, and are not
// tried where they lie beyond a worse width. Where the walk ends at a width that has learnt nothing
// (of wide kernels no single one promises anything to a target that winds), all five are judged.
//
// Cost: 12 to 16 fits, on at most 1,000 rows of a problem (of up to 500 rows the folds are drawn
// three times: 36 to 48 small ones); of several problems (pairs of classes) ten, drawn evenly, on
// 300 rows each. Distances are computed once for all widths.
#pragma once

#include <string>

#include "ardent/estimators/training_set.h"

namespace ardent {

struct WidthDecision {
  double sigma = 0;
  std::string note = "";  // what was chosen, with the folds' scores
};

/// Twice the median distance where there are too few rows for folds. `set.map` is not read.
WidthDecision choose_width(const TrainingSet& set, const TrainOptions& options,
                           const ProgressCallback& progress);

}  // namespace ardent
