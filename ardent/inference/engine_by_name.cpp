#include "ardent/inference/engine_by_name.h"

#include <fmt/format.h>

#include <array>

#include "ardent/base/error.h"
#include "ardent/inference/diagonal.h"
#include "ardent/inference/dqn.h"
#include "ardent/inference/exact.h"
#include "ardent/inference/probes.h"
#include "ardent/inference/sequential.h"

namespace ardent {

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
  throw InputError(fmt::format("there is no engine {}; the engines are: {}", quoted(name), known));
}

}  // namespace ardent
