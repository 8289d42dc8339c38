// One problem of a doubly sparse fit: from scaled rows to sampled states.
#pragma once

#include <string>
#include <vector>

#include "ardent/base/progress.h"
#include "ardent/estimators/problem.h"
#include "ardent/estimators/train_options.h"
#include "ardent/inference/doubly_sparse/summary.h"

namespace ardent {

/// What the chains of one problem say.
struct DoublySparseReport {
  Index positive = -1, negative = -1;  // classes, as in Part
  std::vector<Index> columns;          // of the data: what summary.features are about
  std::vector<Index> candidates;       // training rows: what summary.basis is about
  doubly_sparse::ChainsSummary summary;
  double delta = 0;   // median of its prior, or its value where it is not sampled
  Index resumed = 0;  // sweeps that came from a checkpoint
};

/// Where chains are kept so that a killed run can go on.
struct CheckpointOptions {
  std::string path = "";  // empty: nowhere; with more than one problem, ".1", ".2" … are appended
  bool resume = true;     // go on from what the file has, if there is one
  double seconds = doubly_sparse::ChainOptions{}.checkpoint_seconds;  // >= 0: between writes
};

/// States in the units of the data; their basis indexes `fit.candidates`, their features columns of
/// the scaled matrix.
struct DoublySparseSample {
  DoublySparseReport fit;
  std::vector<doubly_sparse::KernelState> draws;
};

/// `scaled`: all training rows. `seed` is the problem's own.
DoublySparseSample sample_doubly_sparse(const Matrix& scaled, const Problem& task,
                                        const TrainOptions& options, std::uint64_t seed,
                                        const CheckpointOptions& checkpoint,
                                        const ProgressCallback& progress);

}  // namespace ardent
