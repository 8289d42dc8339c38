#include "ardent/inference/engines/pooled.h"

#include <fmt/format.h>

#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/inference/engines/ard_loop.h"
#include "ardent/inference/engines/ard_stages.h"
#include "ardent/inference/evidence/newton_cg.h"

namespace ardent {
namespace {

constexpr NewtonCgOptions kToTheMode{.tolerance = 1e-6, .max_steps = 50, .max_cg = 100};
constexpr Index kNoiseRounds = 20;
constexpr double kNoiseTolerance = 1e-4;

/// One stage of the shared loop: its precisions are given, and never updated.
class Pooled : public ArdMethod {
 public:
  explicit Pooled(Vector alpha) : alpha_(std::move(alpha)) {}

  std::string name() const override { return "pooled"; }

  Index find_mode(ArdState& state) override {
    for (Index k = 0; k < state.active(); ++k) {
      state.alpha[k] = alpha_[state.columns[k]];
    }
    Index steps = newton_cg(state.objective(), state.alpha, state.point, kToTheMode).steps;
    if (state.likelihood == Likelihood::bernoulli) return steps;
    for (Index round = 0; round < kNoiseRounds; ++round) {
      const double before = state.noise_variance;
      measure(state);
      update_noise(state);
      state.objective().evaluate(state.point);
      steps += newton_cg(state.objective(), state.alpha, state.point, kToTheMode).steps;
      if (std::abs(state.noise_variance / before - 1) < kNoiseTolerance) break;
    }
    return steps;
  }

  PrecisionUpdate updated_precisions(const ArdState& state) override {
    return {state.alpha.head(state.active())};
  }

 private:
  Vector alpha_;
};

}  // namespace

Vector pooled_precisions(const Vector& square_norms, const PooledPrior& prior) {
  if (!(prior.strength > 0) || !std::isfinite(prior.strength) ||
      !(prior.power >= 0 && prior.power <= 1)) {
    throw InputError(fmt::format(
        "a pooled prior needs a finite strength > 0 and a power in [0, 1], not {} and {}",
        prior.strength, prior.power));
  }
  Vector share(square_norms.size());
  for (Index k = 0; k < share.size(); ++k) {
    share[k] = square_norms[k] > 0 ? elementary::power(square_norms[k], 1 - prior.power) : 0;
  }
  const double total = share.sum();
  return share.unaryExpr([&](double s) { return s > 0 ? prior.strength * total / s : 1; });
}

Fit fit_pooled(const Design& design, const Target& target, const PooledPrior& prior,
               const EngineOptions& options) {
  EngineOptions one_stage = options;
  one_stage.max_stages = 1;
  one_stage.keep_stages = false;
  const bool weighted = target.weights.size() > 0;
  const Vector rows = weighted ? target.weights : Vector(Vector::Ones(design.rows()));
  Vector square_norms;
  design.weighted_square_norms(rows, square_norms);
  Pooled method(pooled_precisions(square_norms, prior));
  Fit fit = run_ard_loop(design, target, one_stage, method, {});
  fit.report.status = Status::converged;
  return fit;
}

}  // namespace ardent
