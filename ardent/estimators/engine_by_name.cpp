#include "ardent/estimators/engine_by_name.h"

#include <fmt/format.h>

#include <array>

#include "ardent/base/error.h"
#include "ardent/inference/engines/diagonal.h"
#include "ardent/inference/engines/exact.h"
#include "ardent/inference/engines/probes.h"
#include "ardent/inference/path/path.h"
#include "ardent/inference/sequential/growing.h"
#include "ardent/inference/sequential/sequential.h"
#include "ardent/published/dqn.h"

namespace ardent {
namespace {

struct Named {
  std::string_view name;
  Engine engine;
};
constexpr std::array kEngines{
    Named{"exact", fit_exact},   Named{"diagonal", fit_diagonal},     Named{"dqn", fit_dqn},
    Named{"probes", fit_probes}, Named{"sequential", fit_sequential}, Named{"growing", fit_growing},
    Named{"path", fit_path}};

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

}  // namespace ardent
