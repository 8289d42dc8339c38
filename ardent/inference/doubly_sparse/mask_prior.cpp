#include "ardent/inference/doubly_sparse/mask_prior.h"

#include <cmath>
#include <string>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"

namespace ardent::doubly_sparse {

constexpr std::string_view kPriors[] = {"independent", "shared", "paper-count"};

MaskPriorKind parse_prior(std::string_view name) {
  return static_cast<MaskPriorKind>(place_of(name, kPriors, "prior"));
}

double MaskPrior::log_odds(Index others) const {
  const auto n = static_cast<double>(others), m = static_cast<double>(size);
  switch (kind) {
    case MaskPriorKind::independent:
      return elementary::log(a / m);
    case MaskPriorKind::shared:
      return elementary::log((n + a) / (m - n));
    case MaskPriorKind::paper_count:
      return elementary::log((n + a) / (n + 1));
  }
  return 0;
}

double MaskPrior::log_probability(Index on) const {
  const auto n = static_cast<double>(on), m = static_cast<double>(size);
  switch (kind) {
    case MaskPriorKind::independent:
      return n * elementary::log(a / m);
    case MaskPriorKind::shared:
      return elementary::log_gamma(n + a) + elementary::log_gamma(m - n + 1);
    case MaskPriorKind::paper_count:
      return elementary::log_gamma(n + a) - elementary::log_gamma(n + 1);
  }
  return 0;
}

}  // namespace ardent::doubly_sparse
