// One problem of a doubly sparse fit: from scaled rows to sampled states.
#pragma once

#include "ardent/estimators/doubly_sparse.h"
#include "ardent/estimators/problem.h"

namespace ardent {

/// States in the units of the data; their basis indexes `fit.candidates`, their features columns of
/// the scaled matrix.
struct SampledMasks {
  MaskFit fit;
  std::vector<masks::MaskState> draws;
};

/// `scaled`: all training rows. `seed` is the problem's own.
SampledMasks sample_masks(const Matrix& scaled, const Problem& task, const TrainOptions& options,
                          std::uint64_t seed, const MaskCheckpoint& checkpoint,
                          const ProgressCallback& progress);

}  // namespace ardent
