// What a device says that does not have a piece of work; apart from the header, since it knows all of them.
#include "ardent/inference/accelerator.h"

#include <fmt/format.h>

#include "ardent/base/error.h"
#include "ardent/design/design.h"
#include "ardent/inference/coding/signal_batch.h"
#include "ardent/inference/engines/ard_stages.h"
#include "ardent/inference/evidence/space_matrices.h"

namespace ardent {
namespace {

[[noreturn]] void refuse(const Accelerator& device, std::string_view what) {
  throw InputError(
      fmt::format("{} does not compute {}: take device cpu for it", device.name(), what));
}

}  // namespace

std::unique_ptr<Design> Accelerator::dense_design(const Design&) {
  refuse(*this, "the engine exact");
}

std::unique_ptr<PrimalMatrices> Accelerator::primal_matrices(const Design&, const Prior&,
                                                             const Vector*) {
  refuse(*this, "the engine exact");
}

std::unique_ptr<DualMatrices> Accelerator::dual_matrices(const Design&, const Prior&) {
  refuse(*this, "the engine exact");
}

std::unique_ptr<ArdStages> Accelerator::diagonal_stages(ArdState&, const EngineOptions&) {
  refuse(*this, "the engine diagonal");
}

std::unique_ptr<DeviceDictionary> Accelerator::take_dictionary(const Dictionary&,
                                                               std::string& refusal) {
  refusal = name() + " codes no signals: take another";
  return nullptr;
}

}  // namespace ardent
