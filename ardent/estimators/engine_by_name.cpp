#include "ardent/estimators/engine_by_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ardent/base/error.h"
#include "ardent/inference/accelerator.h"
#include "ardent/inference/engines/diagonal.h"
#include "ardent/inference/engines/exact.h"
#include "ardent/inference/engines/probes.h"
#include "ardent/inference/engines/thinned.h"
#include "ardent/inference/path/path.h"
#include "ardent/inference/path/shrinkage.h"
#include "ardent/inference/sequential/growing.h"
#include "ardent/inference/sequential/sequential.h"
#include "ardent/maps/linear.h"
#include "ardent/maps/rbf.h"
#include "ardent/published/dqn.h"

namespace ardent {
namespace {

struct Named {
  std::string_view name;
  Engine engine;
  bool accelerated = false;  // asks the accelerator that it is given
};
constexpr std::array kEngines{Named{"exact", fit_exact, true},
                              Named{"diagonal", fit_diagonal, true},
                              Named{"dqn", fit_dqn},
                              Named{"probes", fit_probes},
                              Named{"sequential", fit_sequential},
                              Named{"growing", fit_growing},
                              Named{"path", fit_path},
                              Named{"shrinkage", fit_shrinkage},
                              Named{"thinned", fit_thinned}};

}  // namespace

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

std::vector<std::string> accelerated_engines() {
  std::vector<std::string> names;
  for (const Named& known : kEngines) {
    if (known.accelerated) names.emplace_back(known.name);
  }
  return names;
}

bool is_accelerated(std::string_view engine) {
  return std::ranges::count(accelerated_engines(), engine) > 0;
}

Fit fit_by_name(std::string_view engine, const Design& design, const Target& target,
                EngineOptions options, const ProgressCallback& progress) {
  if (options.accelerator && !is_accelerated(engine)) {
    if (!options.processor_will_do) {
      throw InputError(
          fmt::format("{} does not have the engine {}, but {}: take device auto or cpu",
                      options.accelerator->name(), engine, fmt::join(accelerated_engines(), ", ")));
    }
    options.accelerator = nullptr;
  }
  return engine_by_name(engine)(design, target, options, progress);
}

std::string choose_engine(const std::string& engine, std::string_view map, Index rows, Index cols) {
  if (engine != "auto") return engine;
  if (map == RbfMap::kName) return "growing";
  const auto n = static_cast<double>(rows), m = static_cast<double>(cols);
  // Multiplications of one Hessian (or kernel) matrix; a second or so at 1e10.
  const double product = std::min(n, m) * n * m;
  if (product <= 1e10 || (m <= 2000 && product <= 2e11)) return "exact";
  return map == LinearMap::kName ? "diagonal" : "sequential";
}

}  // namespace ardent
