#include "ardent/inference/doubly_sparse/chain_options.h"

#include <fmt/format.h>

#include "ardent/base/error.h"

namespace ardent::doubly_sparse {
namespace {

void require(bool holds, const char* field, const char* rule, double value) {
  if (!holds) throw InputError(fmt::format("{} must be {}, not {}", field, rule, value));
}

}  // namespace

void validate(const ChainOptions& options) {
  const auto number = [](Index value) { return static_cast<double>(value); };
  require(options.chains >= 1, "chains", ">= 1", number(options.chains));
  require(options.burn_in >= 0, "burn_in", ">= 0", number(options.burn_in));
  require(options.sweeps >= 1, "sweeps", ">= 1", number(options.sweeps));
  require(options.draws >= 1, "draws", ">= 1", number(options.draws));
  require(options.burn_in_rows >= 0, "burn_in_rows", ">= 0", number(options.burn_in_rows));
  require(options.checkpoint_seconds >= 0, "checkpoint_seconds", ">= 0",
          options.checkpoint_seconds);
}

}  // namespace ardent::doubly_sparse
