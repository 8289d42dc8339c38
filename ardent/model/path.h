// The path of a model: what it was after each stage of training (kept with keep-stages).
#pragma once

#include "ardent/model/model.h"

namespace ardent {

/// Stages on the longest path of a part; 0 if no path was kept.
Index path_stages(const Model& model);

/// The model as it was after that stage, 1 ≤ stage ≤ path_stages; a part that converged earlier is
/// as it ended. It knows means alone: precisions, relevances and variances are 0, so that
/// probabilities are those of the mean weights. Throws InputError if there is no such stage.
Model at_stage(const Model& model, Index stage);

}  // namespace ardent
