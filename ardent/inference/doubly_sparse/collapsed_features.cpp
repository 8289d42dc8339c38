// The moves of the collapsed sampler on the mask of the features.
#include <algorithm>

#include "ardent/inference/doubly_sparse/collapsed_sampler.h"
#include "ardent/inference/doubly_sparse/feature_swaps.h"
#include "ardent/inference/doubly_sparse/metropolis.h"
#include "ardent/inference/evidence/bernoulli.h"

namespace ardent::doubly_sparse {
namespace {

// Chance of the rarest visits of a feature: some ten in a pass.
constexpr double kLeastVisits = 0.01, kMostLeastVisits = 0.05, kVisits = 10;

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
    const double change = columns_.try_feature(k);
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
