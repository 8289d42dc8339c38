// The moves of the collapsed sampler on the weights, their scale and the noise.
#include "ardent/inference/doubly_sparse/collapsed_sampler.h"
#include "ardent/inference/doubly_sparse/gamma_draw.h"
#include "ardent/inference/doubly_sparse/scale_move.h"
#include "ardent/inference/doubly_sparse/slice_step.h"

namespace ardent::doubly_sparse {
namespace {

constexpr double kSliceWidth = 1;  // of log ξ

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

void CollapsedSampler::move_xi(Random& random) {
  const auto log_density = [&](double log_xi) {
    return xi_prior_.log_density(log_xi) + columns_.evidence_at(elementary::exp(log_xi)).value();
  };
  const double moved = slice_step(elementary::log(columns_.xi()), kSliceWidth, log_density, random);
  columns_.set_xi(elementary::exp(moved));
}

void CollapsedSampler::draw_xi_given_weights(KernelState& state, Random& random) const {
  const auto m = static_cast<double>(state.alpha.size());
  const double square = state.alpha.squaredNorm();
  if (xi_prior_.kind == ScalePriorKind::gamma) {
    state.xi = draw_gamma(kXiShape + 0.5 * m, kXiRate + 0.5 * square, random);
    return;
  }
  const auto log_density = [&](double log_xi) {
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

void CollapsedSampler::draw_weights_and_scale(KernelState& state, Random& random) {
  if (options_.sample_xi && options_.scale_moves) move_xi(random);
  draw_weights(state, random);
  if (options_.sample_xi && !options_.scale_moves) draw_xi_given_weights(state, random);
  if (problem_.likelihood == Likelihood::gaussian) {
    const double rss = options_.power * residual_square(problem_, f_);
    const double rows = options_.power * problem_.total_weight();
    state.noise_variance =
        1 / draw_gamma(options_.noise_shape + 0.5 * rows, options_.noise_rate + 0.5 * rss, random);
  } else if (options_.sample_xi && options_.scale_moves) {
    move_scale(state, random);
  }
}

}  // namespace ardent::doubly_sparse
