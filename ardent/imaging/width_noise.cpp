#include "ardent/imaging/width_noise.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ardent/base/elementary.h"
#include "ardent/base/parallel.h"

namespace ardent {
namespace {

constexpr double kSureSignal = 6;      // flux over standard deviation
constexpr double kLit = 1;             // standard deviations: pixels of sure sources
constexpr double kWidthStep = 1.45;    // from one measured width to the next, at most
constexpr double kKernelReach = 3;     // in units of σ
constexpr double kKnownLight = 0.5;    // of a source's light² that falls on known pixels
constexpr double kFewestPlaces = 20;   // independent places
constexpr double kScatterFrom = 3;     // standard deviations of the ratio
constexpr double kSpreadError = 1.85;  // times 1/√places: the standard deviation of `side_spread`
constexpr double kInner = 0.308537539;  // of a normal distribution lies below −½,
constexpr double kOuter = 0.066807201;  // and below −1½ standard deviations

std::vector<double> widths_between(double low, double high) {
  Index steps = 0;
  for (double width = low; width < high * (1 - 1e-12); width *= kWidthStep) ++steps;
  std::vector<double> widths{low};
  for (Index k = 1; k <= steps; ++k) {
    const double fraction = static_cast<double>(k) / static_cast<double>(steps);
    widths.push_back(low * elementary::power(high / low, fraction));
  }
  return widths;
}

/// A source of one width in the middle of a small image, and the lattice that it is moved over.
struct Kernel {
  Index reach, reach_z;
  Index step, step_z;
  Image share;
  double length2 = 0;  // Σ share²
  double places = 1;   // pixels for one that is independent of the others

  Kernel(double sigma, double sigma_z, bool stack, const PsfShape& shape) {
    const auto whole = [](double value) { return static_cast<Index>(std::ceil(value)); };
    const auto spacing = [](double value) {
      return std::max<Index>(1, static_cast<Index>(std::floor(value)));
    };
    reach = whole(kKernelReach * sigma);
    reach_z = stack ? whole(kKernelReach * sigma_z) : 0;
    step = spacing(sigma);
    step_z = stack ? spacing(sigma_z) : 1;
    share = blank_image(2 * reach + 1, 2 * reach + 1, 2 * reach_z + 1);
    const auto middle = static_cast<double>(reach + 1);
    shape.add({middle, middle, sigma, 1, static_cast<double>(reach_z + 1), sigma_z}, share);
    for (const double value : share.pixels) length2 += value * value;
    const double side = 4 * std::numbers::pi;
    places = side * sigma * sigma * (stack ? std::sqrt(side) * sigma_z : 1);
  }
};

/// r of a source at a place; NaN where too much of it falls on unknown pixels.
double response(const Image& left, const Image& weights, const Kernel& kernel, Index x, Index y,
                Index z) {
  double product = 0, weight = 0, known = 0;
  for (Index k = std::max<Index>(1, z - kernel.reach_z);
       k <= std::min(left.depth, z + kernel.reach_z); ++k) {
    for (Index j = std::max<Index>(1, y - kernel.reach);
         j <= std::min(left.height, y + kernel.reach); ++j) {
      const Index low = std::max<Index>(1, x - kernel.reach);
      const Index high = std::min(left.width, x + kernel.reach);
      std::size_t p = left.place(low, j, k);
      std::size_t q = kernel.share.place(low - x + kernel.reach + 1, j - y + kernel.reach + 1,
                                         k - z + kernel.reach_z + 1);
      for (Index i = low; i <= high; ++i, ++p, ++q) {
        const double share = kernel.share.pixels[q], one = weights.pixels[p];
        if (one == 0) continue;
        product += share * one * left.pixels[p];
        weight += share * share * one;
        known += share * share;
      }
    }
  }
  return known < kKnownLight * kernel.length2 ? std::nan("") : product / std::sqrt(weight);
}

/// The known ones over the lattice, in ascending order.
std::vector<double> responses(const Image& left, const Image& weights, const Kernel& kernel) {
  const auto count = [](Index pixels, Index step) { return (pixels - 1) / step + 1; };
  const Index rows = count(left.height, kernel.step), planes = count(left.depth, kernel.step_z);
  std::vector<std::vector<double>> of_row(rows * planes);
  parallel_for(rows * planes, [&](Index row) {
    const Index y = row % rows * kernel.step + 1, z = row / rows * kernel.step_z + 1;
    for (Index x = 1; x <= left.width; x += kernel.step) {
      const double one = response(left, weights, kernel, x, y, z);
      if (!std::isnan(one)) of_row[row].push_back(one);
    }
  });
  std::vector<double> all;
  for (const auto& some : of_row) all.insert(all.end(), some.begin(), some.end());
  std::sort(all.begin(), all.end());
  return all;
}

double quantile(const std::vector<double>& ascending, double fraction) {
  const double at = fraction * static_cast<double>(ascending.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const double part = at - static_cast<double>(low);
  return low + 1 == ascending.size() ? ascending[low]
                                     : (1 - part) * ascending[low] + part * ascending[low + 1];
}

/// From half to one and a half standard deviations off the middle, on the narrower side.
double side_spread(const std::vector<double>& ascending) {
  const double dark = quantile(ascending, kInner) - quantile(ascending, kOuter);
  const double bright = quantile(ascending, 1 - kOuter) - quantile(ascending, 1 - kInner);
  return std::min(dark, bright);
}

/// 1/V, and 0 where nothing is known or a sure source shines.
Image weights_between(const Image& left, const Image& sure, const PixelNoise& noise) {
  Image weights = left;
  for (std::size_t p = 0; p < weights.pixels.size(); ++p) {
    const double variance = noise.at(p, sure.pixels[p]);
    const bool counts = std::isfinite(left.pixels[p]) &&
                        std::abs(sure.pixels[p]) <= kLit * std::sqrt(noise.base_at(p));
    weights.pixels[p] = counts ? 1 / variance : 0;
  }
  return weights;
}

/// Where a value lies between the ascending ones of a list: the lower one and the fraction of the
/// way.
struct WidthPlace {
  std::size_t low = 0;
  double fraction = 0;
};
WidthPlace width_place(const std::vector<double>& ascending, double value) {
  const auto above = std::ranges::upper_bound(ascending, value) - ascending.begin();
  if (above == 0) return {};
  const auto low = static_cast<std::size_t>(above - 1);
  if (low + 1 == ascending.size()) return {low, 0};
  return {low, (value - ascending[low]) / (ascending[low + 1] - ascending[low])};
}

}  // namespace

std::vector<WidthNoise> measure_width_noise(const Image& left, const Image& sure,
                                            const PixelNoise& noise, const PsfFitOptions& options) {
  const bool stack = left.is_stack();
  const Image weights = weights_between(left, sure, noise);
  std::vector<WidthNoise> all;
  bool significant = false;
  const std::vector<double> along =
      stack ? widths_between(options.sigma_z_low, options.sigma_z_high) : std::vector<double>{0};
  for (const double sigma : widths_between(options.sigma_low, options.sigma_high)) {
    for (const double sigma_z : along) {
      const Kernel kernel(sigma, sigma_z, stack, *options.shape);
      const std::vector<double> values = responses(left, weights, kernel);
      const double pixels = static_cast<double>(values.size() * kernel.step * kernel.step) *
                            static_cast<double>(kernel.step_z);
      const double independent = pixels / kernel.places;
      if (independent < kFewestPlaces) {  // as the next narrower one
        all.push_back({sigma, sigma_z, all.empty() ? 1 : all.back().ratio});
        continue;
      }
      const double ratio = side_spread(values);
      significant |= ratio > 1 + kScatterFrom * kSpreadError / std::sqrt(independent);
      all.push_back({sigma, sigma_z, std::max(1.0, ratio)});
    }
  }
  return significant ? all : std::vector<WidthNoise>{};
}

double variance_ratio(const std::vector<WidthNoise>& widths, const Source& source) {
  if (widths.empty()) return 1;
  std::vector<double> across, along;
  for (const WidthNoise& one : widths) {
    if (across.empty() || one.sigma > across.back()) across.push_back(one.sigma);
    if (one.sigma == widths.front().sigma) along.push_back(one.sigma_z);
  }
  const WidthPlace u = width_place(across, source.sigma), v = width_place(along, source.sigma_z);
  const auto ratio = [&](std::size_t i, std::size_t j) {
    i = std::min(i, across.size() - 1);
    j = std::min(j, along.size() - 1);
    return widths[i * along.size() + j].ratio;
  };
  const auto mix = [](double low, double high, double fraction) {
    return (1 - fraction) * low + fraction * high;
  };
  const double one =
      mix(mix(ratio(u.low, v.low), ratio(u.low, v.low + 1), v.fraction),
          mix(ratio(u.low + 1, v.low), ratio(u.low + 1, v.low + 1), v.fraction), u.fraction);
  return one * one;
}

SureLeft without_sure(const Image& sky_free, const LocateResult& found, const PsfShape& shape) {
  Image sure = found.model;
  for (const Detection& detection : found.detections) {
    if (std::abs(detection.snr) >= kSureSignal) continue;
    for (Source source : detection.joined) {
      source.flux = -source.flux;
      shape.add(source, sure);
    }
  }
  Image left = minus(sky_free, sure);
  return {std::move(left), std::move(sure)};
}

}  // namespace ardent
