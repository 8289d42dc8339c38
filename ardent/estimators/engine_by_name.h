// The engines there are, by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ardent/inference/engine.h"

namespace ardent {

/// exact | diagonal | dqn | probes | sequential | growing | path | shrinkage | thinned. Throws
/// InputError that lists the names there are.
Engine engine_by_name(std::string_view name);
std::vector<std::string> engine_names();

/// The engines that an accelerator has, and whether this is one of them.
std::vector<std::string> accelerated_engines();
bool is_accelerated(std::string_view engine);

/// The fit by that engine, on the options' accelerator if they have one; where it does not have the
/// engine, on the processor if that will do, else an InputError.
Fit fit_by_name(std::string_view engine, const Design& design, const Target& target,
                EngineOptions options, const ProgressCallback& progress = {});

/// The engine that `auto` means for a map and a design of that size: growing for rbf; else exact
/// where its cost allows, diagonal for a linear map and sequential for the others, whose columns
/// overlap too much for the diagonal of a Hessian to say much.
std::string choose_engine(const std::string& engine, std::string_view map, Index rows, Index cols);

}  // namespace ardent
