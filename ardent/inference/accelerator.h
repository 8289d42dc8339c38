// What a device beside the processor may do for an engine. An engine asks for its own piece of
// work; one that asks for nothing refuses to run with an accelerator, rather than to run on the
// processor.
#pragma once

#include <memory>
#include <string>

namespace ardent {

class ArdStages;
struct ArdState;
struct EngineOptions;

class Accelerator {
 public:
  virtual ~Accelerator() = default;
  /// As a person would say it: "NVIDIA H200, 140 GiB".
  virtual std::string name() const = 0;

  /// The stages of the engine diagonal from this state on. The references must outlive the result.
  virtual std::unique_ptr<ArdStages> diagonal_stages(ArdState& state,
                                                     const EngineOptions& options) = 0;
};

}  // namespace ardent
