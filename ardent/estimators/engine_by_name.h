// The engines there are, by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ardent/inference/engine.h"

namespace ardent {

/// exact | diagonal | dqn | probes | sequential | growing | path. Throws InputError that lists the
/// names there are.
Engine engine_by_name(std::string_view name);
std::vector<std::string> engine_names();

}  // namespace ardent
