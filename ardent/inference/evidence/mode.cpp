#include "ardent/inference/evidence/mode.h"

#include <cmath>
#include <numbers>

#include "ardent/base/elementary.h"
#include "ardent/inference/evidence/bernoulli.h"

namespace ardent {
namespace {

constexpr double kSufficientDecrease = 1e-4;  // Armijo's fraction of the promised decrease
constexpr int kMostStepHalvings = 40;
constexpr double kObjectiveRounding = 1e-16;  // of |L|: a decrease below this cannot be measured

void move(Predictor& predictor, const Predictor& step, double length) {
  predictor.coordinates += length * step.coordinates;
  predictor.bias += length * step.bias;
  predictor.fitted += length * step.fitted;
}

void measure(const WeightSpace& space, const Vector& t, const Vector& row_weights, Mode& mode) {
  mode.log_likelihood = bernoulli::log_likelihood(t, mode.predictor.fitted, row_weights);
  mode.penalty = space.inner(mode.predictor, mode.predictor) / 2;
}

double objective(const Mode& mode) {
  return mode.penalty - mode.log_likelihood;
}

/// Moves along `step` by the first of 1, ½, ¼ … that lowers L enough. False: none did.
bool backtrack(const WeightSpace& space, const Vector& t, const Vector& row_weights,
               const Predictor& step, double slope, Mode& mode) {
  const double before = objective(mode);
  double length = 1;
  for (int halving = 0; halving <= kMostStepHalvings; ++halving, length /= 2) {
    Mode trial = mode;
    move(trial.predictor, step, length);
    measure(space, t, row_weights, trial);
    if (objective(trial) <= before - kSufficientDecrease * length * slope) {
      mode = std::move(trial);
      return true;
    }
  }
  return false;
}

}  // namespace

Mode bernoulli_mode(WeightSpace& space, const Vector& t, Predictor start, double tolerance,
                    Index max_steps, const Vector& row_weights) {
  Mode mode;
  mode.predictor = std::move(start);
  measure(space, t, row_weights, mode);
  // The old mode can be a bad place under new precisions; the constant 0 never is.
  const double nothing_known = -bernoulli::log_likelihood(t, Vector::Zero(t.size()), row_weights);
  if (!(objective(mode) <= nothing_known)) {
    mode.predictor = space.constant(0);
    measure(space, t, row_weights, mode);
  }
  Vector beta;
  while (true) {
    bernoulli::derivatives(t, mode.predictor.fitted, mode.residual, beta, row_weights);
    space.factor(beta);
    ++mode.newton_steps;
    const Predictor step = space.newton_step(mode.residual, mode.predictor);
    const double decrement =
        mode.residual.dot(step.fitted) - space.inner(mode.predictor, step);  // squared
    // A start from a neighbouring mode may be within the tolerance already, but its small weights
    // belong to the old precisions: at least one step is taken.
    const double enough = mode.newton_steps > 1 ? tolerance : 0.0;
    const double smallest = enough + kObjectiveRounding * std::abs(objective(mode));
    if (!(decrement / 2 > smallest) || mode.newton_steps >= max_steps) return mode;
    if (!backtrack(space, t, row_weights, step, decrement, mode)) return mode;
  }
}

Predictor bernoulli_start(WeightSpace& space, const Vector& t, const Predictor& near,
                          const Vector& row_weights) {
  Vector residual, beta;
  bernoulli::derivatives(t, near.fitted, residual, beta, row_weights);
  space.factor(beta);
  Predictor at = space.constant(near.bias);
  // The slope, at the constant, of the parabola that touches log p(t | f) where the old mode fits.
  const Vector slope = residual + beta.cwiseProduct(near.fitted - at.fitted);
  move(at, space.newton_step(slope, at), 1);
  return at;
}

Mode gaussian_mode(WeightSpace& space, const Vector& t, double noise_variance,
                   const Vector& row_weights) {
  const Vector c = row_weights.size() > 0 ? row_weights : Vector::Ones(t.size());
  Mode mode;
  mode.newton_steps = 1;
  mode.predictor = space.constant(0);
  space.factor(c / noise_variance);
  for (int pass = 0; pass < 2; ++pass) {
    mode.residual = c.cwiseProduct(t - mode.predictor.fitted) / noise_variance;
    move(mode.predictor, space.newton_step(mode.residual, mode.predictor), 1);
  }
  const Vector error = t - mode.predictor.fitted;
  mode.residual = c.cwiseProduct(error) / noise_variance;
  mode.square_sum = error.cwiseProduct(c).dot(error);
  mode.log_likelihood = -0.5 * (c.sum() * elementary::log(2 * std::numbers::pi * noise_variance) +
                                mode.square_sum / noise_variance);
  mode.penalty = space.inner(mode.predictor, mode.predictor) / 2;
  return mode;
}

}  // namespace ardent
