#include "ardent/inference/accelerator.h"

#include "ardent/inference/coding/signal_batch.h"

namespace ardent {

std::unique_ptr<DeviceDictionary> Accelerator::take_dictionary(const Dictionary&,
                                                               std::string& refusal) {
  refusal = name() + " codes no signals: take another";
  return nullptr;
}

}  // namespace ardent
