#include "ardent/inference/engine.h"

#include <fmt/format.h>

#include <cmath>

#include "ardent/base/error.h"

namespace ardent {
void validate(const EngineOptions& options) {
  validate_fields(options);
  const auto positive = [](double x) { return std::isfinite(x) && x > 0; };
  // In the caller's units it is multiplied by squares down to 1e-250 (target_range.cpp).
  require(options.alpha_init >= 1e-50, "alpha_init", ">= 1e-50", options.alpha_init);
  require(options.alpha_max > options.alpha_init, "alpha_max", "> alpha_init", options.alpha_max);
  require(positive(options.bias_precision), "bias_precision", "finite and > 0",
          options.bias_precision);
  require(positive(options.newton_tolerance), "newton_tolerance", "finite and > 0",
          options.newton_tolerance);
  require(options.max_newton >= 1, "max_newton", ">= 1", options.max_newton);
}

}  // namespace ardent
