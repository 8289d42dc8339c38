#include "ardent/estimators/device.h"

#include <fmt/format.h>

#include "ardent/base/error.h"
#include "ardent/cuda/accelerator_for.h"
#include "ardent/estimators/engine_by_name.h"

namespace ardent {

std::string device_help() {
  return fmt::format(
      "where the engine computes: cpu; cuda, an NVIDIA card (a build made by `make cuda`), an "
      "error where there is none and for engines that it does not have; it has, by name: {}, and "
      "the codes of the map dictionary; auto, the card where there is one and has the engine, else "
      "the processor. Predictions agree closely, not to the last bit",
      fmt::join(accelerated_engines(), ", "));
}

EngineOptions on_device(EngineOptions options, const std::string& device, const std::string& engine,
                        bool shared_rows) {
  if (options.accelerator || device == "cpu") return options;
  const bool needed = device == "cuda";
  if (needed && shared_rows) {
    throw InputError(
        "device cuda computes on one card with all rows in one process: several processes that "
        "share the rows use device cpu");
  }
  if (needed && !is_accelerated(engine)) {
    throw InputError(fmt::format(
        "device cuda has the engine{0} {1}, not {2}: choose one by name (engine diagonal for many "
        "columns), or device auto or cpu",
        accelerated_engines().size() > 1 ? "s" : "", fmt::join(accelerated_engines(), ", "),
        engine));
  }
  if (shared_rows) return options;
  options.accelerator = accelerator_for(needed ? Device::cuda : Device::automatic);
  options.processor_will_do = !needed;
  return options;
}

}  // namespace ardent
