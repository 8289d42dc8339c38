#include "ardent/inference/posterior.h"

namespace ardent {

std::string_view status_name(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::iteration_limit:
      return "iteration limit";
    case Status::stalled:
      return "stalled";
    case Status::stopped:
      return "stopped";
    case Status::chosen_stage:
      return "stage chosen on inner folds";
  }
  return "unknown";
}

}  // namespace ardent
