#include "ardent/cuda/accelerator_for.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <mutex>

#include "ardent/base/error.h"
#include "ardent/cuda/card/card.h"
#include "ardent/cuda/card/card_stages.h"
#include "ardent/cuda/card/coding/card_dictionary.h"
#include "ardent/cuda/card/exact_matrices.h"

namespace ardent {
namespace {

class CudaAccelerator : public Accelerator {
 public:
  std::string name() const override { return card_->name(); }

  std::unique_ptr<ArdStages> diagonal_stages(ArdState& state,
                                             const EngineOptions& options) override {
    return card_stages(card_, state, options);
  }

  std::unique_ptr<Design> dense_design(const Design& design) override {
    return make_card_design(*card_, design);
  }
  std::unique_ptr<PrimalMatrices> primal_matrices(const Design& phi, const Prior& prior,
                                                  const Vector* unit_beta) override {
    return make_card_primal(dynamic_cast<const CardDesign&>(phi), prior, unit_beta);
  }
  std::unique_ptr<DualMatrices> dual_matrices(const Design& phi, const Prior& prior) override {
    return make_card_dual(dynamic_cast<const CardDesign&>(phi), prior);
  }

  std::unique_ptr<DeviceDictionary> take_dictionary(const Dictionary& dictionary,
                                                    std::string& refusal) override {
    return take_card_dictionary(*card_, dictionary, refusal);
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
