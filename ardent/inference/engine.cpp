#include "ardent/inference/engine.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "ardent/base/error.h"
#include "ardent/inference/exact.h"

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
  require_positive("tolerance", options.tolerance);
  require_positive("newton_tolerance", options.newton_tolerance);
  require(options.max_stages >= 1, "max_stages", ">= 1", static_cast<double>(options.max_stages));
  require(options.max_newton >= 1, "max_newton", ">= 1", static_cast<double>(options.max_newton));
}

Engine engine_by_name(std::string_view name) {
  struct Named {
    std::string_view name;
    Engine engine;
  };
  static constexpr std::array engines{Named{"auto", fit_exact}, Named{"exact", fit_exact}};
  std::string known;
  for (const auto& [known_name, engine] : engines) {
    if (name == known_name) return engine;
    known += (known.empty() ? "" : ", ") + std::string(known_name);
  }
  throw InputError(fmt::format("there is no engine {}; the engines are: {}", quoted(name), known));
}

}  // namespace ardent
