// An accelerator that computes on the processor, and counts what it is asked for.
#pragma once

#include <atomic>

#include "ardent/inference/accelerator.h"
#include "ardent/inference/engines/ard_stages.h"
#include "ardent/inference/engines/diagonal.h"

namespace ardent::problems {

class DelegatingAccelerator : public Accelerator {
 public:
  std::string name() const override { return "a card of a test"; }

  std::unique_ptr<ArdStages> diagonal_stages(ArdState& state,
                                             const EngineOptions& options) override {
    ++asked;
    method_ = diagonal_method();
    return stages_here(state, *method_, options);
  }

  std::atomic<int> asked = 0;

 private:
  std::unique_ptr<ArdMethod> method_;  // one fit at a time
};

}  // namespace ardent::problems
