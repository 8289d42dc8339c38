// Have chains run long enough? Rank-normalised R̂ and effective sizes of what a user looks at: the
// log likelihood, δ, and every feature whose probability is in doubt.
#pragma once

#include "ardent/inference/doubly_sparse/chain_trace.h"

namespace ardent::doubly_sparse {

struct Agreement {
  double r_hat = 0;      // the largest
  double effective = 0;  // the least, of the middle and of the tails

  /// R̂ < 1.01 and more than 400 effective draws (Vehtari et al., 2021).
  bool reached() const { return r_hat < 1.01 && effective > 400; }
};

/// Of the first `kept` sweeps after burn-in, which every chain has. Features count that are on in
/// more than 5% and in less than 95% of them: such a bit's R̂ and effective size are the same
/// normalised or not.
Agreement agreement(const std::vector<ChainTrace>& chains, Index kept, Index features);

}  // namespace ardent::doubly_sparse
