// Which device an engine computes on.
#pragma once

#include <memory>

#include "ardent/inference/accelerator.h"

namespace ardent {

/// cpu; cuda: the card, or an error; automatic: the card where there is one, else the processor.
enum class Device { cpu, cuda, automatic };

/// Null for the processor. Throws InputError where a card is asked for and this build or this
/// machine has none.
std::shared_ptr<Accelerator> accelerator_for(Device device);

}  // namespace ardent
