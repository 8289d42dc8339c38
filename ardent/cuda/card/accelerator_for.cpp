#include "ardent/cuda/accelerator_for.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "ardent/base/error.h"
#include "ardent/cuda/card/card.h"
#include "ardent/cuda/card/coding/card_dictionary.h"

namespace ardent {
namespace {

class CudaAccelerator : public Accelerator {
 public:
  std::string name() const override { return card_.name(); }
  std::unique_ptr<DeviceDictionary> take_dictionary(const Dictionary& dictionary,
                                                    std::string& refusal) override {
    return take_card_dictionary(card_, dictionary, refusal);
  }

 private:
  Card card_;
};

}  // namespace

std::shared_ptr<Accelerator> accelerator_for(Device device) {
  if (device == Device::cpu) return nullptr;
  int count = 0;
  const cudaError_t found = cudaGetDeviceCount(&count);
  if (found == cudaSuccess && count > 0) return std::make_shared<CudaAccelerator>();
  if (device == Device::automatic) return nullptr;
  throw InputError(
      fmt::format("device cuda: no NVIDIA card can be used here ({}); look at nvidia-smi and "
                  "CUDA_VISIBLE_DEVICES, or take device cpu",
                  found == cudaSuccess ? "there is none" : cudaGetErrorString(found)));
}

}  // namespace ardent
