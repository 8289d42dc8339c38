#include "ardent/estimators/sparse_coder.h"

namespace ardent {

SparseCoder::SparseCoder(const Features& atoms, const CoderOptions& options)
    : coder_(atoms, {.code = code_options(options),
                     .unit_norm = options.unit_norm,
                     .gram_bytes = static_cast<std::size_t>(options.gram_memory) << 20}) {}

}  // namespace ardent
