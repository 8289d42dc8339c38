#include "ardent/imaging/median.h"

#include <algorithm>
#include <cmath>

namespace ardent {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

double deviation_about(const std::vector<double>& values, double centre) {
  std::vector<double> deviations;
  for (const double value : values) deviations.push_back(std::abs(value - centre));
  return kNormalDeviation * median(std::move(deviations));
}

double clipped_median(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return std::nan("");
  constexpr int kRounds = 3;
  constexpr double kWidth = 3;
  double centre = median(values);
  for (int round = 0; round < kRounds; ++round) {
    const double sd = deviation_about(values, centre);
    if (!(sd > 0)) break;
    std::erase_if(values, [&](double value) { return std::abs(value - centre) > kWidth * sd; });
    centre = median(values);
  }
  return centre;
}

}  // namespace ardent
