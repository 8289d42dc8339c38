// What a device beside the processor may do for an engine. An engine asks for its own piece of
// work; one that asks for nothing refuses to run with an accelerator, rather than to run on the
// processor.
#pragma once

#include <memory>
#include <string>

#include "ardent/base/types.h"

namespace ardent {

class ArdStages;
class Design;
class DeviceDictionary;
class Dictionary;
class DualMatrices;
class PrimalMatrices;
struct ArdState;
struct EngineOptions;
struct Prior;

class Accelerator {
 public:
  virtual ~Accelerator() = default;
  /// As a person would say it: "NVIDIA H200, 140 GiB".
  virtual std::string name() const = 0;

  // Engine exact.
  /// The design's numbers there, dense, behind the same questions; so are its copies and what is
  /// kept of it. A kernel that knows its points (design/row_source.h) is formed there. InputError
  /// where an exact fit of it would not fit into the device's memory.
  virtual std::unique_ptr<Design> dense_design(const Design& design);
  /// The matrices of weight spaces over what dense_design() made, which must outlive them as the
  /// prior must. `unit_beta`, if given: every beta will be a multiple of it.
  virtual std::unique_ptr<PrimalMatrices> primal_matrices(const Design& phi, const Prior& prior,
                                                          const Vector* unit_beta);
  virtual std::unique_ptr<DualMatrices> dual_matrices(const Design& phi, const Prior& prior);

  // Engine diagonal.
  /// Its stages from this state on. The references must outlive the result.
  virtual std::unique_ptr<ArdStages> diagonal_stages(ArdState& state,
                                                     const EngineOptions& options);

  // Codes.
  /// For codes of many signals at once (coding/signal_batch.h); null, and why, where the device has
  /// none or the dictionary does not fit.
  virtual std::unique_ptr<DeviceDictionary> take_dictionary(const Dictionary& dictionary,
                                                            std::string& refusal);
};

}  // namespace ardent
