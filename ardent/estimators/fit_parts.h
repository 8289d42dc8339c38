// The fits of all problems of a training: on this process's threads, or in whichever process is free.
#pragma once

#include <algorithm>
#include <vector>

#include "ardent/estimators/fit_problem.h"
#include "ardent/estimators/training_checkpoint.h"

namespace ardent {

struct FittedParts {
  std::vector<Fit> fits;
  std::vector<Vector> held_out;  // f of each row by the fold that does not know it; or nothing

  /// Every part has some.
  bool has_held_out() const {
    return std::ranges::none_of(held_out, [](const Vector& f) { return f.size() == 0; });
  }
};

/// Each as fit_problem() fits it, or as the checkpoint (may be null) has it; some are asked first
/// what the others follow. With options.farm every process gets all of them.
FittedParts fit_all(const TrainingSet& set, const TrainOptions& options,
                    const ProgressCallback& progress, TrainingCheckpoint* checkpoint);

}  // namespace ardent
