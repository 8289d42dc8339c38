#include "ardent/inference/posterior.h"

#include "ardent/base/error.h"

namespace ardent {

constexpr std::string_view kStatuses[] = {"converged", "iteration limit", "stalled", "stopped",
                                          "stage chosen on inner folds"};

std::string_view status_name(Status status) {
  return kStatuses[static_cast<std::size_t>(status)];
}

Status parse_status(std::string_view name) {
  return static_cast<Status>(place_of(name, kStatuses, "status"));
}

}  // namespace ardent
