#include "ardent/imaging/source_density.h"

#include <cmath>

namespace ardent {
namespace {

/// The probability whose odds are `factor` times those of p.
double with_odds_times(double p, double factor) {
  return p * factor / (1 - p + p * factor);
}

/// μ/(1 + μ) where Σp is that of the probabilities that it leads to. From the largest Σp down: it
/// is the largest of such factors.
double odds_factor(const std::vector<Detection>& detections, double tile_areas) {
  constexpr int kMostRounds = 1000;
  constexpr double kSettled = 1e-9;
  double factor = 1;
  for (int round = 0; round < kMostRounds; ++round) {
    double sum = 0;
    for (const Detection& one : detections) sum += with_odds_times(one.probability, factor);
    const double mean = (1 + sum) / tile_areas, next = mean / (1 + mean);
    if (std::abs(next - factor) <= kSettled * factor) return next;
    factor = next;
  }
  return factor;
}

}  // namespace

void judge_by_density(std::vector<Detection>& detections, double tile_areas,
                      double least_probability) {
  const double factor = odds_factor(detections, tile_areas);
  for (Detection& one : detections) one.probability = with_odds_times(one.probability, factor);
  std::erase_if(detections,
                [&](const Detection& one) { return one.probability < least_probability; });
}

}  // namespace ardent
