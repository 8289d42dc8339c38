#include "ardent/inference/doubly_sparse/scale_prior.h"

#include "ardent/base/error.h"

namespace ardent::doubly_sparse {

constexpr std::string_view kScalePriors[] = {"log-normal", "gamma"};

ScalePriorKind parse_scale_prior(std::string_view name) {
  return static_cast<ScalePriorKind>(place_of(name, kScalePriors, "xi-prior"));
}

}  // namespace ardent::doubly_sparse
