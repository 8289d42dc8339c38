// The moves of the collapsed sampler on the weights, their scale and the noise.
#include <limits>

#include "ardent/inference/doubly_sparse/collapsed_sampler.h"
#include "ardent/inference/doubly_sparse/gamma_draw.h"
#include "ardent/inference/doubly_sparse/scale_move.h"
#include "ardent/inference/doubly_sparse/slice_step.h"

namespace ardent::doubly_sparse {
namespace {

constexpr double kSliceWidth = 1;  // of log ξ and log σ²
constexpr double kLeastShare = 1e-12;
constexpr double kRounding = 1 - 1e-9;  // a ξ that stands at its bound may have come there by exp
constexpr double kImpossible = -std::numeric_limits<double>::infinity();

}  // namespace

void CollapsedSampler::draw_weights(KernelState& state, Random& random) {
  const Vector weights = columns_.evidence().draw(random);
  f_ = columns_.predictor(weights);
  state.bias = options_.bias ? weights[0] : 0;
  state.alpha = weights.tail(std::ssize(columns_.basis()));
  state.features = columns_.features();
  state.basis = columns_.basis();
  state.delta = columns_.delta();
  state.scales = columns_.scales();
  state.xi = columns_.xi();
}

double CollapsedSampler::least_xi(double noise_variance) const {
  if (problem_.likelihood != Likelihood::gaussian) return 0;
  return kLeastShare * problem_.total_weight() / noise_variance;
}

void CollapsedSampler::move_xi(double noise_variance, Random& random) {
  const double least = kRounding * least_xi(noise_variance);
  const auto log_density = [&](double log_xi) {
    if (elementary::exp(log_xi) < least) return kImpossible;
    return xi_prior_.log_density(log_xi) + columns_.evidence_at(elementary::exp(log_xi)).value();
  };
  const double now = elementary::log(columns_.xi());
  if (elementary::exp(now) < least) return;  // by rounding
  columns_.set_xi(elementary::exp(slice_step(now, kSliceWidth, log_density, random)));
}

void CollapsedSampler::draw_xi_given_weights(KernelState& state, Random& random) const {
  const auto m = static_cast<double>(state.alpha.size());
  const double square = state.alpha.squaredNorm();
  const double least = kRounding * least_xi(state.noise_variance);
  if (xi_prior_.kind == ScalePriorKind::gamma) {
    const double drawn = draw_gamma(kXiShape + 0.5 * m, kXiRate + 0.5 * square, random);
    if (drawn >= least) state.xi = drawn;
    return;
  }
  const auto log_density = [&](double log_xi) {
    if (elementary::exp(log_xi) < least) return kImpossible;
    return xi_prior_.log_density(log_xi) + 0.5 * (m * log_xi - square * elementary::exp(log_xi));
  };
  state.xi =
      elementary::exp(slice_step(elementary::log(state.xi), kSliceWidth, log_density, random));
}

void CollapsedSampler::move_scale(KernelState& state, Random& random) {
  const ScaleMove move{problem_.t,    f_,          xi_prior_, elementary::log(state.xi), state.bias,
                       options_.bias, row_weights_};
  const double c = elementary::exp(slice_step(
      0, 0.5 * kSliceWidth, [&](double log_c) { return move.log_density(log_c); }, random));
  f_ *= c;
  state.alpha *= c;
  state.bias *= c;
  state.xi /= c * c;
}

void CollapsedSampler::draw_noise(KernelState& state, Random& random) const {
  const double shape = options_.noise_shape + 0.5 * options_.power * problem_.total_weight();
  const double rate = options_.noise_rate + 0.5 * options_.power * residual_square(problem_, f_);
  const double drawn = 1 / draw_gamma(shape, rate, random);
  const auto possible = [&](double noise) {
    return !options_.sample_xi || state.xi >= kRounding * least_xi(noise);
  };
  if (possible(drawn)) {
    state.noise_variance = drawn;
    return;
  }
  const auto log_density = [&](double log_noise) {
    const double noise = elementary::exp(log_noise);
    return possible(noise) ? -shape * log_noise - rate / noise : kImpossible;
  };
  const double now = elementary::log(state.noise_variance);
  if (!possible(elementary::exp(now))) return;  // by rounding
  state.noise_variance = elementary::exp(slice_step(now, kSliceWidth, log_density, random));
}

void CollapsedSampler::draw_weights_and_scale(KernelState& state, Random& random) {
  if (options_.sample_xi && options_.scale_moves) move_xi(state.noise_variance, random);
  draw_weights(state, random);
  if (options_.sample_xi && !options_.scale_moves) draw_xi_given_weights(state, random);
  if (problem_.likelihood == Likelihood::gaussian) {
    draw_noise(state, random);
  } else if (options_.sample_xi && options_.scale_moves) {
    move_scale(state, random);
  }
}

}  // namespace ardent::doubly_sparse
