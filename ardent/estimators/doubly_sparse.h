// Doubly sparse kernel models: which features, which basis points, and how sure.
//
// Dataset + options → chains for each binary (pair of classes) or regression problem → inclusion
// probabilities with their errors, and a Model that averages the sampled states. Features are
// scaled on these rows (auto: standard deviation 1), constant columns left out; a regression target
// is standardised while sampling and the draws are put back into its units.
#pragma once

#include "ardent/base/progress.h"
#include "ardent/data/dataset.h"
#include "ardent/estimators/train_options.h"
#include "ardent/inference/masks/mask_summary.h"
#include "ardent/model/model.h"

namespace ardent {

/// What the chains of one problem say.
struct MaskFit {
  Index positive = -1, negative = -1;  // classes, as in Part
  std::vector<Index> columns;          // of the data: what summary.features are about
  std::vector<Index> candidates;       // training rows: what summary.basis is about
  masks::MaskSummary summary;
  double delta = 0;   // median of its prior, or its value where it is not sampled
  Index resumed = 0;  // sweeps that came from a checkpoint
};

struct DoublySparseFit {
  Model model;
  std::vector<MaskFit> fits;  // one a part of the model
};

/// Where chains are kept so that a killed run can go on.
struct MaskCheckpoint {
  std::string path = "";  // empty: nowhere; with more than one problem, ".1", ".2" … are appended
  double seconds = masks::ChainOptions{}.checkpoint_seconds;  // >= 0: between writes
};

/// Row weights, and ovr for more classes, are an InputError.
DoublySparseFit fit_doubly_sparse(const Dataset& data, const TrainOptions& options,
                                  const MaskCheckpoint& checkpoint = {},
                                  const ProgressCallback& progress = {});

}  // namespace ardent
