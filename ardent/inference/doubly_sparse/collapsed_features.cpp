// The moves of the collapsed sampler on the mask of the features.
#include <algorithm>
#include <cmath>

#include "ardent/inference/doubly_sparse/collapsed_sampler.h"
#include "ardent/inference/doubly_sparse/feature_swaps.h"
#include "ardent/inference/doubly_sparse/metropolis.h"
#include "ardent/inference/evidence/bernoulli.h"

namespace ardent::doubly_sparse {
namespace {

// Chance of the rarest visits of a feature: some ten in a pass.
constexpr double kLeastVisits = 0.01, kMostLeastVisits = 0.05, kVisits = 10;
constexpr double kNarrowStep = 0.3, kWideStep = 1.2;  // proposals of log s

}  // namespace

void CollapsedSampler::set_inclusion(const Vector& inclusion) {
  const double least =
      std::clamp(kVisits / static_cast<double>(inclusion.size()), kLeastVisits, kMostLeastVisits);
  const auto rate = [&](double from, double to) {
    return std::clamp(to / std::max(from, 1e-300), least, 1.0);
  };
  switch_on_.resize(inclusion.size());
  switch_off_.resize(inclusion.size());
  for (Index k = 0; k < inclusion.size(); ++k) {
    switch_on_[k] = rate(1 - inclusion[k], inclusion[k]);
    switch_off_[k] = rate(inclusion[k], 1 - inclusion[k]);
  }
}

double CollapsedSampler::delta_of_flip(bool on, Random& random) const {
  const double delta = columns_.delta();
  if (!options_.sample_delta || !options_.rescaled_flips) return delta;
  const auto others = static_cast<double>(columns_.features_on() - (on ? 1 : 0));
  if (others == 0 || random.uniform() < 0.5) return delta;
  return on ? delta * ((others + 1) / others) : delta * (others / (others + 1));
}

double CollapsedSampler::scale_of_flip(Index k, Random& random) const {
  if (options_.width_sd == 0 || columns_.features()[k]) return columns_.scale(k);
  return elementary::exp(options_.width_sd * random.normal());
}

void CollapsedSampler::move_widths(Random& random) {
  const double sd = options_.width_sd;
  double sum = 0;
  for (Index k = 0; k < problem_.features(); ++k) {
    if (!columns_.features()[k]) continue;
    const double now = elementary::log(columns_.scale(k));
    const double step = random.uniform() < 0.5 ? kNarrowStep : kWideStep;
    const double proposed = now + step * random.normal();
    const double change =
        columns_.try_features({{k, true, elementary::exp(proposed)}}, columns_.delta());
    if (accepted(change + 0.5 * (now * now - proposed * proposed) / (sd * sd), random)) {
      columns_.accept_trial();
    }
    sum += elementary::log(columns_.scale(k));
  }
  if (!options_.sample_delta) return;
  const double of_delta = 1 / (options_.delta_sd * options_.delta_sd), of_scale = 1 / (sd * sd);
  const double precision = of_delta + static_cast<double>(columns_.features_on()) * of_scale;
  const double log_delta = elementary::log(columns_.delta() / options_.delta);
  columns_.shift_width((of_scale * sum - of_delta * log_delta) / precision +
                       random.normal() / std::sqrt(precision));
}

Index CollapsedSampler::toggle_features(Random& random) {
  Index flips = 0;
  for (Index k = 0; k < problem_.features(); ++k) {
    const bool on = columns_.features()[k] != 0;
    double there = 1, back = 1;  // chances to propose this and its reverse
    if (switch_on_.size() > 0) {
      there = on ? switch_off_[k] : switch_on_[k];
      back = on ? switch_on_[k] : switch_off_[k];
      if (there < 1 && random.uniform() >= there) continue;
    }
    const double delta = delta_of_flip(on, random);
    double change = columns_.try_features({{k, !on, scale_of_flip(k, random)}}, delta);
    if (delta != columns_.delta()) {
      change += log_delta_density(elementary::log(delta)) -
                log_delta_density(elementary::log(columns_.delta()));
    }
    const double prior = feature_prior_.log_odds(columns_.features_on() - (on ? 1 : 0));
    const double log_odds = prior + (on ? -change : change);
    conditional_[k] = bernoulli::sigmoid(log_odds);
    if (options_.metropolis_flips) {
      const double hastings = back == there ? 0 : elementary::log(back / there);
      if (!accepted((on ? -log_odds : log_odds) + hastings, random)) continue;
    } else {
      const bool now = random.uniform() < conditional_[k];
      if (now == on) continue;
    }
    columns_.accept_trial();
    ++flips;
  }
  return flips;
}

Index CollapsedSampler::swap_features(Random& random) {
  Index swapped = 0;
  for (Index move = 0; move < options_.feature_swaps; ++move) {
    const auto swap = propose_swap(similarity_, columns_.features(), random);
    if (!swap) break;
    const double change = columns_.try_swap(swap->in, swap->out);
    if (!accepted(change + swap->log_hastings, random)) continue;
    columns_.accept_trial();
    ++swapped;
  }
  return swapped;
}

}  // namespace ardent::doubly_sparse
