// What a device beside the processor may do for an engine. An engine asks for its own piece of work;
// one that asks for nothing refuses to run with an accelerator, rather than to run on the processor.
#pragma once

#include <memory>
#include <string>

namespace ardent {

class DeviceDictionary;
class Dictionary;

class Accelerator {
 public:
  virtual ~Accelerator() = default;
  /// As a person would say it: "NVIDIA H200, 140 GiB".
  virtual std::string name() const = 0;

  /// For codes of many signals at once (coding/signal_batch.h); null, and why, where the device has
  /// none or the dictionary does not fit.
  virtual std::unique_ptr<DeviceDictionary> take_dictionary(const Dictionary& dictionary,
                                                            std::string& refusal);
};

}  // namespace ardent
