#include "ardent/estimators/sparse_coder.h"

namespace ardent {
namespace {

BatchOptions batch_options(const CoderOptions& options) {
  return {.code = code_options(options),
          .unit_norm = options.unit_norm,
          .gram_bytes = static_cast<std::size_t>(options.gram_memory) << 20};
}

}  // namespace

SparseCoder::SparseCoder(const Features& atoms, const CoderOptions& options)
    : coder_(atoms, batch_options(options)) {}

SparseCoder::SparseCoder(std::shared_ptr<const Dictionary> dictionary, const CoderOptions& options)
    : coder_(std::move(dictionary), batch_options(options)) {}

}  // namespace ardent
