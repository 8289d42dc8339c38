#include "ardent/imaging/profile_error.h"

#include <algorithm>
#include <cmath>

namespace ardent {
namespace {

struct Pixel {
  double residual, model;  // squared, over the noise variance
};

/// Median of residual²/(1 + e² model²).
double typical(const std::vector<Pixel>& pixels, double e) {
  std::vector<double> ratios;
  for (const Pixel& pixel : pixels) ratios.push_back(pixel.residual / (1 + e * e * pixel.model));
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  return *middle;
}

}  // namespace

double estimate_profile_error(const Pixels& residual, const Image& model, const PixelNoise& noise) {
  constexpr double kBright = 10;           // standard deviations of the noise
  constexpr std::size_t kLeast = 20;       // pixels
  constexpr double kMedian = 0.45493642;   // of χ² with one degree of freedom
  constexpr double kMedianError = 1.0674;  // times 1/√n: its standard deviation, 1/(2 f(median))
  PixelNoise without_error = noise;
  without_error.profile_error = 0;
  std::vector<Pixel> bright;
  visit_bands(residual, [&](std::size_t first, std::span<const double> some) {
    for (std::size_t k = 0; k < some.size(); ++k) {
      const double light = model.pixels[first + k], left = some[k];
      const double variance = without_error.at(first + k, light);
      const double square = light * light / variance;
      if (!(square > kBright * kBright) || !std::isfinite(left)) continue;
      bright.push_back({left * left / variance, square});
    }
  });
  if (bright.size() < kLeast) return 0;
  const double error = kMedianError / std::sqrt(static_cast<double>(bright.size()));
  if (typical(bright, 0) <= kMedian + 3 * error) return 0;
  // The median falls as e grows: halving finds it.
  double low = 0, high = 10;
  for (int step = 0; step < 40; ++step) {
    const double middle = 0.5 * (low + high);
    (typical(bright, middle) > kMedian ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace ardent
