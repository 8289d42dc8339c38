#include "ardent/cuda/accelerator_for.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <mutex>

#include "ardent/base/error.h"
#include "ardent/cuda/card/card_stages.h"

namespace ardent {
namespace {

class CudaAccelerator : public Accelerator {
 public:
  std::string name() const override { return card_->name(); }

  std::unique_ptr<ArdStages> diagonal_stages(ArdState& state,
                                             const EngineOptions& options) override {
    return card_stages(card_, state, options);
  }

 private:
  std::shared_ptr<Card> card_ = std::make_shared<Card>();
};

/// The one of this process, as long as somebody has it: fits at the same time take turns.
std::shared_ptr<Accelerator> shared_accelerator() {
  static std::mutex mutex;
  static std::weak_ptr<Accelerator> made;
  const std::lock_guard lock(mutex);
  std::shared_ptr<Accelerator> accelerator = made.lock();
  if (!accelerator) made = accelerator = std::make_shared<CudaAccelerator>();
  return accelerator;
}

}  // namespace

std::shared_ptr<Accelerator> accelerator_for(Device device) {
  if (device == Device::cpu) return nullptr;
  int count = 0;
  const cudaError_t found = cudaGetDeviceCount(&count);
  if (found == cudaSuccess && count > 0) return shared_accelerator();
  if (device == Device::automatic) return nullptr;
  throw InputError(
      fmt::format("device cuda: no NVIDIA card can be used here ({}); look at nvidia-smi and "
                  "CUDA_VISIBLE_DEVICES, or take device cpu",
                  found == cudaSuccess ? "there is none" : cudaGetErrorString(found)));
}

}  // namespace ardent
