// Doubly sparse kernel models: which features, which basis points, and how sure.
//
// Dataset + options → chains for each binary (pair of classes) or regression problem → inclusion
// probabilities with their errors, and a Model that averages the sampled states. Features are
// scaled on these rows (auto: standard deviation 1), constant columns left out; a regression target
// is standardised while sampling and the draws are put back into its units.
#pragma once

#include "ardent/base/progress.h"
#include "ardent/data/dataset.h"
#include "ardent/estimators/doubly_sparse_sampling.h"
#include "ardent/estimators/train_options.h"
#include "ardent/model/model.h"

namespace ardent {

struct DoublySparseFit {
  Model model;
  std::vector<DoublySparseReport> fits;  // one per part of the model
};

/// Row and class weights count (collapsed sampler only). More classes: pairs, or ovr where asked
/// for; folds are an InputError.
DoublySparseFit fit_doubly_sparse(const Dataset& data, const TrainOptions& options,
                                  const CheckpointOptions& checkpoint = {},
                                  const ProgressCallback& progress = {});

}  // namespace ardent
