#include "ardent/inference/engines/diagonal.h"

#include <algorithm>

#include "ardent/base/parallel.h"
#include "ardent/inference/accelerator.h"
#include "ardent/inference/engines/ard_loop.h"
#include "ardent/inference/engines/ard_stages.h"
#include "ardent/inference/evidence/newton_cg.h"
#include "ardent/linalg/dot.h"

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
    return newton_cg(state.objective(), state.alpha, state.point, {state.mode_tolerance}).steps;
  }

  Vector updated_alpha(const ArdState& state) override {
    Vector updated(state.active());
    parallel_blocks(updated.size(), kElementBlock, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) {
        updated[k] =
            guarded_update(state.alpha[k], state.point.w[k], 1 / state.hessian_diagonal[k]);
      }
    });
    return updated;
  }
};

}  // namespace

std::unique_ptr<ArdMethod> diagonal_method() {
  return std::make_unique<Diagonal>();
}

double guarded_update(double alpha, double w, double variance) {
  const double square = w * w;
  return std::max((1 - alpha * variance) / square, 1 / (square + variance));
}

Fit fit_diagonal(const Design& design, const Target& target, const EngineOptions& options,
                 const ProgressCallback& progress) {
  Diagonal method;
  return run_ard_loop(design, target, options, method, progress);
}

}  // namespace ardent
