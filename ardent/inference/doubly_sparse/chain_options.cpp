#include "ardent/inference/doubly_sparse/chain_options.h"

#include "ardent/base/error.h"

namespace ardent::doubly_sparse {

void validate(const ChainOptions& options) {
  require(options.chains >= 1, "chains", ">= 1", options.chains);
  require(options.burn_in >= 0, "burn_in", ">= 0", options.burn_in);
  require(options.sweeps >= 1, "sweeps", ">= 1", options.sweeps);
  require(options.seconds >= 0, "seconds", ">= 0", options.seconds);
  require(options.draws >= 1, "draws", ">= 1", options.draws);
  require(options.burn_in_rows >= 0, "burn_in_rows", ">= 0", options.burn_in_rows);
  require(options.checkpoint_seconds >= 0, "checkpoint_seconds", ">= 0",
          options.checkpoint_seconds);
}

}  // namespace ardent::doubly_sparse
