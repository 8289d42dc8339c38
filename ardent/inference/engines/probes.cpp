#include "ardent/inference/engines/probes.h"

#include "ardent/base/array_pieces.h"
#include "ardent/base/random.h"
#include "ardent/inference/engines/ard_loop.h"
#include "ardent/inference/engines/diagonal.h"
#include "ardent/inference/evidence/newton_cg.h"
#include "ardent/linalg/conjugate_gradient.h"

namespace ardent {
namespace {

constexpr CgOptions kSolve{.tolerance = 1e-3, .max_iterations = 200};

class Probes : public ArdMethod {
 public:
  Probes(Index count, std::uint64_t seed) : count_(count), seed_(seed) {}

  std::string name() const override { return "probes"; }

  Index find_mode(ArdState& state) override {
    return newton_cg(state.objective(), state.alpha, state.point, {state.mode_tolerance}).steps;
  }

  PrecisionUpdate updated_precisions(const ArdState& state) override {
    const Vector variance = estimated_variance(state);
    Vector updated(state.active());
    for (Index k = 0; k < updated.size(); ++k) {
      updated[k] = guarded_update(state.alpha[k], state.point.w[k], variance[k]);
    }
    return {std::move(updated)};
  }

  void leave(ContainerWriter& file) const override {
    file.add("probes.stream", std::vector{stream_});
  }
  void take_up(const Container& file, Index) override {
    stream_ = ArrayPieces(file).take<std::uint64_t>("probes.stream", 1)[0];
  }

 private:
  Vector estimated_variance(const ArdState& state) {
    const MapObjective objective = state.objective();
    Vector fitted, sum = Vector::Zero(state.alpha.size());
    const auto product = [&](const Vector& v, Vector& out) {
      objective.hessian_product(state.point, state.alpha, v, fitted, out);
    };
    for (Index probe = 0; probe < count_; ++probe) {
      Random random(seed_, stream_++);
      Vector signs(sum.size());
      for (Index k = 0; k < signs.size(); ++k) signs[k] = random.bits() >> 63 ? 1.0 : -1.0;
      Vector solution = Vector::Zero(sum.size());
      conjugate_gradient(product, state.hessian_diagonal, signs, solution, kSolve);
      sum += signs.cwiseProduct(solution);
    }
    sum /= static_cast<double>(count_);
    return sum.cwiseMax(state.hessian_diagonal.cwiseInverse()).cwiseMin(state.alpha.cwiseInverse());
  }

  Index count_;
  std::uint64_t seed_;
  std::uint64_t stream_ = 0;  // a fresh stream for every probe of every stage
};

}  // namespace

Fit fit_probes(const Design& design, const Target& target, const EngineOptions& options,
               const ProgressCallback& progress) {
  Probes method(options.probes, options.seed);
  return run_ard_loop(design, target, options, method, progress);
}

}  // namespace ardent
