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

struct Named {
  std::string_view name;
  Engine engine;
};
constexpr std::array kEngines{Named{"exact", fit_exact}, Named{"diagonal", fit_diagonal},
                              Named{"dqn", fit_dqn}, Named{"probes", fit_probes},
                              Named{"sequential", fit_sequential}};

}  // namespace

void validate(const EngineOptions& options) {
  validate_fields(options);
  const auto positive = [](double x) { return std::isfinite(x) && x > 0; };
  require(options.alpha_max > options.alpha_init, "alpha_max", "> alpha_init", options.alpha_max);
  require(positive(options.bias_precision), "bias_precision", "finite and > 0",
          options.bias_precision);
  require(positive(options.newton_tolerance), "newton_tolerance", "finite and > 0",
          options.newton_tolerance);
  require(options.max_newton >= 1, "max_newton", ">= 1", static_cast<double>(options.max_newton));
}

Engine engine_by_name(std::string_view name) {
  for (const Named& known : kEngines) {
    if (name == known.name) return known.engine;
  }
  throw InputError(fmt::format("there is no engine {}; the engines are: {}", in_quotes(name),
                               fmt::join(engine_names(), ", ")));
}

std::vector<std::string> engine_names() {
  std::vector<std::string> names;
  for (const Named& known : kEngines) names.emplace_back(known.name);
  return names;
}

}  // namespace ardent
