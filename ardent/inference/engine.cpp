#include "ardent/inference/engine.h"

#include <fmt/format.h>

#include <cmath>

#include "ardent/base/error.h"

namespace ardent {
namespace {

void require(bool holds, const char* field, const char* rule, double value) {
  if (holds) return;
  throw InputError(fmt::format("{} must be {}, but is {}", field, rule, value));
}

void require_positive(const char* field, double value) {
  require(std::isfinite(value) && value > 0, field, "finite and > 0", value);
}

}  // namespace

void validate(const EngineOptions& options) {
  require_positive("bias_precision", options.bias_precision);
  require_positive("alpha_init", options.alpha_init);
  require(std::isfinite(options.alpha_max) && options.alpha_max > options.alpha_init, "alpha_max",
          "finite and > alpha_init", options.alpha_max);
  require(std::isfinite(options.tolerance) && options.tolerance >= 0, "tolerance",
          "finite and >= 0", options.tolerance);
  require_positive("newton_tolerance", options.newton_tolerance);
  require(options.max_stages >= 0, "max_stages", ">= 0", static_cast<double>(options.max_stages));
  require(options.probes >= 1, "probes", ">= 1", static_cast<double>(options.probes));
  require(options.max_newton >= 1, "max_newton", ">= 1", static_cast<double>(options.max_newton));
}

}  // namespace ardent
