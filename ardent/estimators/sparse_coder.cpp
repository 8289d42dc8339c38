#include "ardent/estimators/sparse_coder.h"

#include "ardent/cuda/accelerator_for.h"

namespace ardent {
namespace {

BatchOptions batch_options(const CoderOptions& options) {
  BatchOptions batch{.code = code_options(options),
                     .unit_norm = options.unit_norm,
                     .gram_bytes = static_cast<std::size_t>(options.gram_memory) << 20};
  if (options.device == "cpu") return batch;
  batch.processor_will_do = options.device == "auto";
  batch.accelerator = accelerator_for(batch.processor_will_do ? Device::automatic : Device::cuda);
  return batch;
}

}  // namespace

SparseCoder::SparseCoder(const Features& atoms, const CoderOptions& options)
    : coder_(atoms, batch_options(options)) {}

SparseCoder::SparseCoder(std::shared_ptr<const Dictionary> dictionary, const CoderOptions& options)
    : coder_(std::move(dictionary), batch_options(options)) {}

}  // namespace ardent
