#include "ardent/inference/engines/diagonal.h"

#include "ardent/inference/accelerator.h"
#include "ardent/inference/engines/ard_loop.h"
#include "ardent/inference/engines/ard_stages.h"
#include "ardent/inference/evidence/newton_cg.h"

namespace ardent {
namespace {

class Diagonal : public ArdMethod {
 public:
  std::string name() const override { return "diagonal"; }

  std::unique_ptr<ArdStages> stages(ArdState& state, const EngineOptions& options) override {
    if (options.accelerator) return options.accelerator->diagonal_stages(state, options);
    return stages_here(state, *this, options);
  }

  Index find_mode(ArdState& state) override {
    return newton_cg(state.objective(), state.alpha, state.point, {state.tolerance_of_stage()})
        .steps;
  }

  PrecisionUpdate updated_precisions(const ArdState& state) override { return stride_on(state); }
  bool ends_by_evidence() const override { return true; }
};

}  // namespace

std::unique_ptr<ArdMethod> diagonal_method() {
  return std::make_unique<Diagonal>();
}

Fit fit_diagonal(const Design& design, const Target& target, const EngineOptions& options,
                 const ProgressCallback& progress) {
  Diagonal method;
  return run_ard_loop(design, target, options, method, progress);
}

}  // namespace ardent
