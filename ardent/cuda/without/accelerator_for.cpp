#include "ardent/cuda/accelerator_for.h"

#include "ardent/base/error.h"

namespace ardent {

std::shared_ptr<Accelerator> accelerator_for(Device device) {
  if (device == Device::cuda) {
    throw InputError(
        "this build computes on the processor only: device cuda needs one made by `make cuda`; "
        "device auto takes the processor where there is no card");
  }
  return nullptr;
}

}  // namespace ardent
