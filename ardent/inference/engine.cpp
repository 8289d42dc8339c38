#include "ardent/inference/engine.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "ardent/base/error.h"
#include "ardent/inference/diagonal.h"
#include "ardent/inference/dqn.h"
#include "ardent/inference/exact.h"
#include "ardent/inference/probes.h"
#include "ardent/inference/sequential.h"

namespace ardent {
namespace {

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

Engine engine_by_name(std::string_view name) {
  struct Named {
    std::string_view name;
    Engine engine;
  };
  static constexpr std::array engines{Named{"exact", fit_exact}, Named{"diagonal", fit_diagonal},
                                      Named{"dqn", fit_dqn}, Named{"probes", fit_probes},
                                      Named{"sequential", fit_sequential}};
  std::string known;
  for (const auto& [known_name, engine] : engines) {
    if (name == known_name) return engine;
    known += (known.empty() ? "" : ", ") + std::string(known_name);
  }
  throw InputError(
      fmt::format("there is no engine {}; the engines are: {}", in_quotes(name), known));
}

}  // namespace ardent
