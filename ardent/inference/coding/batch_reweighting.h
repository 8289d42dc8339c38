// Sparse Bayesian codes of a batch of signals on a device: what codes_by_lambda does for one signal
// (reweighted_l1.h), for all of them step by step. Signals that are done leave the step.
#pragma once

#include <vector>

#include "ardent/inference/coding/reweighted_l1.h"
#include "ardent/inference/coding/signal_batch.h"

namespace ardent {

/// Of each signal of the batch its codes, one for each value of λ on the way, the last as asked;
/// without γ and covariances. `rows`: the length of a signal; `cols`: the number of atoms.
std::vector<std::vector<SparseBayesCode>> codes_of_batch(SignalBatch& batch, Index rows, Index cols,
                                                         const CodeOptions& options);

}  // namespace ardent
