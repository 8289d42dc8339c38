#include "ardent/published/dqn.h"

#include <cmath>

#include "ardent/base/array_pieces.h"
#include "ardent/inference/engines/ard_loop.h"
#include "ardent/linalg/dot.h"
#include "ardent/linalg/line_search.h"

namespace ardent {
namespace {

constexpr double kGradientTolerance = 0.1;  // ε
constexpr Index kMaxSteps = 100;            // MaxIts_qn
constexpr double kFloorRelevance = 1e-4;    // c
constexpr double kLeastCurvature = 1e-12;
constexpr double kLeastInverse = 1e-12;

class Dqn : public ArdMethod {
 public:
  explicit Dqn(bool warm) : warm_(warm) {}

  std::string name() const override { return "dqn"; }

  Index find_mode(ArdState& state) override {
    const MapObjective objective = state.objective();
    MapPoint& point = state.point;
    if (!warm_ || b_.size() != point.w.size()) b_ = Vector::Ones(point.w.size());
    Vector gradient, next_gradient, direction, fitted;
    objective.gradient(point, state.alpha, gradient);
    Index steps = 0;
    while (std::sqrt(dot(gradient, gradient)) > kGradientTolerance && steps < kMaxSteps) {
      direction = -b_.cwiseProduct(gradient);
      objective.phi().multiply(direction, fitted);
      const double length = step_length(state, objective, direction, fitted, gradient);
      if (!(length > 0)) break;
      point.w += length * direction;
      point.f += length * fitted;
      objective.evaluate(point);
      objective.gradient(point, state.alpha, next_gradient);
      update_diagonal_inverse(length * direction, next_gradient - gradient, b_);
      gradient.swap(next_gradient);
      ++steps;
    }
    return steps;
  }

  PrecisionUpdate updated_precisions(const ArdState& state) override {
    Vector updated(state.active());
    for (Index k = 0; k < updated.size(); ++k) {
      const double w = state.point.w[k];
      const double relevance = 1 - state.alpha[k] * b_[k];
      updated[k] = (relevance > 0 ? relevance : kFloorRelevance) / (w * w);
    }
    return {std::move(updated)};
  }

  void keep(std::span<const Index> positions) override {
    Vector kept(std::ssize(positions));
    for (Index k = 0; k < kept.size(); ++k) kept[k] = b_[positions[k]];
    b_ = std::move(kept);
  }

  void leave(ContainerWriter& file) const override {
    file.add("dqn.b", std::vector<double>(b_.begin(), b_.end()));
  }
  void take_up(const Container& file, Index size) override {
    b_ = ArrayPieces(file).take_vector("dqn.b", size);
  }

 private:
  /// A strong Wolfe step along the direction. The penalty is quadratic in the step and the
  /// likelihood depends on f alone, so a trial costs O(N).
  static double step_length(const ArdState& state, const MapObjective& objective,
                            const Vector& direction, const Vector& fitted, const Vector& gradient) {
    const Vector weighted = state.alpha.cwiseProduct(direction);
    const double constant = 0.5 * dot(state.point.w, state.alpha.cwiseProduct(state.point.w));
    const double linear = dot(state.point.w, weighted), square = dot(direction, weighted);
    const auto along = [&](double s) -> LinePoint {
      const auto likelihood = objective.along(state.point.f, fitted, s);
      return {s, -likelihood.value + constant + s * linear + 0.5 * s * s * square,
              -likelihood.slope + linear + s * square};
    };
    const LinePoint start{0, along(0).value, dot(gradient, direction)};
    if (!(start.slope < 0)) return 0;
    return strong_wolfe(along, start, 1).point.step;
  }

  bool warm_;
  Vector b_;
};

}  // namespace

bool update_diagonal_inverse(const Vector& step, const Vector& gradient_change, Vector& b) {
  const double curvature = dot(gradient_change, step);
  const double sizes =
      std::sqrt(dot(gradient_change, gradient_change)) * std::sqrt(dot(step, step));
  if (!(curvature > kLeastCurvature * sizes)) return false;
  const Vector scaled = step.cwiseQuotient(b);  // B⁻¹δ
  const double length = dot(step, scaled);      // δᵀB⁻¹δ
  b = (b.cwiseInverse().array() + gradient_change.array().square() / curvature -
       scaled.array().square() / length)
          .max(kLeastInverse)
          .inverse();
  return true;
}

Fit fit_dqn(const Design& design, const Target& target, const EngineOptions& options,
            const ProgressCallback& progress) {
  Dqn method(options.warm_b);
  return run_ard_loop(design, target, options, method, progress);
}

}  // namespace ardent
