// Which device trains: the option `device`, and the engines that an NVIDIA card has.
//
//   cpu    the processor
//   cuda   the card, or an InputError: for an engine that it does not have, and where there is none
//   auto   the card for the engines that it has, where there is one; else the processor
//
// What is around an engine is done by the processor in any case: reading, scaling, scores of
// held-out rows, the refit of kept columns.
#pragma once

#include <string>

#include "ardent/inference/engine_options.h"

namespace ardent {

std::string device_help();

/// The options with the accelerator of that device, unless they have one already. `engine`: as
/// asked for; device cuda wants it by name, since auto may choose one that a card does not have.
/// Rows that several processes share stay on the processor.
EngineOptions on_device(EngineOptions options, const std::string& device, const std::string& engine,
                        bool shared_rows);

}  // namespace ardent
