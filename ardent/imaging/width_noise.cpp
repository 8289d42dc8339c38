#include "ardent/imaging/width_noise.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ardent/base/elementary.h"
#include "ardent/base/parallel.h"

namespace ardent {
namespace {

constexpr double kSureSignal = 6;     // flux over standard deviation
constexpr double kLit = 1;            // standard deviations: pixels of sure sources
constexpr double kWidthStep = 1.45;   // from one measured width to the next, at most
constexpr double kKernelReach = 3;    // in units of σ
constexpr double kKnownLight = 0.5;   // of a source's light² that falls on known pixels
constexpr double kFewestPlaces = 20;  // independent places
constexpr double kScatterFrom = 3;    // standard deviations of the ratio
constexpr Index kMostPlaces = Index{1} << 22;
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

  Kernel(double sigma, double sigma_z, const Pixels& image, const PsfShape& shape) {
    const bool stack = image.is_stack();
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
    const auto many = [&] { return across(image) * up(image) * deep(image) > kMostPlaces; };
    while (many() && step < std::max(image.width, image.height)) ++step;
  }

  // Places of the lattice along each axis.
  Index across(const Pixels& image) const { return (image.width - 1) / step + 1; }
  Index up(const Pixels& image) const { return (image.height - 1) / step + 1; }
  Index deep(const Pixels& image) const { return (image.depth - 1) / step_z + 1; }
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

/// 1/V in a box, and 0 where nothing is known or a sure source shines.
Image weights_in(const Box& box, const Image& left, const Pixels& sure, const PixelNoise& noise) {
  Image weights = sure.cut(box);
  const Image size = sure.empty();
  std::size_t q = 0;
  for (Index z = box.near; z < box.near + box.depth; ++z) {
    for (Index y = box.low; y < box.low + box.height; ++y) {
      std::size_t p = size.place(box.left, y, z);
      for (Index x = 0; x < box.width; ++x, ++p, ++q) {
        const double light = weights.pixels[q];
        const bool counts =
            std::isfinite(left.pixels[q]) && std::abs(light) <= kLit * std::sqrt(noise.base_at(p));
        weights.pixels[q] = counts ? 1 / noise.at(p, light) : 0;
      }
    }
  }
  return weights;
}

/// Some rows of the lattice in one plane of it: those from `first` on.
struct LatticeRows {
  Index first, count, z;
};
std::vector<LatticeRows> lattice_rows(const Pixels& image, const Kernel& kernel) {
  constexpr Index kPixels = Index{1} << 14;
  // With the rows around them that their sources reach, up to twice as many pixels.
  const Index high = std::max(kPixels / (image.width * (2 * kernel.reach_z + 1)), 2 * kernel.reach);
  const Index rows = std::max<Index>(1, high / kernel.step);
  std::vector<LatticeRows> all;
  for (Index k = 0; k < kernel.deep(image); ++k) {
    for (Index j = 0; j < kernel.up(image); j += rows) {
      all.push_back({j, std::min(rows, kernel.up(image) - j), k * kernel.step_z + 1});
    }
  }
  return all;
}

/// The known ones in some rows of the lattice.
std::vector<double> responses_in(const LatticeRows& rows, const Pixels& left, const Pixels& sure,
                                 const PixelNoise& noise, const Kernel& kernel) {
  Box box = left.all();
  const auto limit = [](Index& begin, Index& size, Index low, Index high) {
    const Index end = std::min(size, high);
    begin = std::max<Index>(1, low);
    size = end - begin + 1;
  };
  const Index low = rows.first * kernel.step + 1, high = low + (rows.count - 1) * kernel.step;
  limit(box.low, box.height, low - kernel.reach, high + kernel.reach);
  limit(box.near, box.depth, rows.z - kernel.reach_z, rows.z + kernel.reach_z);
  const Image part = left.cut(box);
  const Image weights = weights_in(box, part, sure, noise);
  std::vector<double> known;
  for (Index y = low; y <= high; y += kernel.step) {
    for (Index x = 1; x <= left.width; x += kernel.step) {
      const double one = response(part, weights, kernel, x, y - box.low + 1, rows.z - box.near + 1);
      if (!std::isnan(one)) known.push_back(one);
    }
  }
  return known;
}

/// The known ones over the lattice, in ascending order.
std::vector<double> responses(const Pixels& left, const Pixels& sure, const PixelNoise& noise,
                              const Kernel& kernel) {
  const std::vector<LatticeRows> rows = lattice_rows(left, kernel);
  std::vector<std::vector<double>> of_rows(rows.size());
  parallel_for(std::ssize(rows),
               [&](Index k) { of_rows[k] = responses_in(rows[k], left, sure, noise, kernel); });
  std::vector<double> all;
  for (const auto& some : of_rows) all.insert(all.end(), some.begin(), some.end());
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

std::vector<WidthNoise> measure_width_noise(const Pixels& left, const Pixels& sure,
                                            const PixelNoise& noise, const PsfFitOptions& options) {
  const bool stack = left.is_stack();
  std::vector<WidthNoise> all;
  bool significant = false;
  const std::vector<double> along =
      stack ? widths_between(options.sigma_z_low, options.sigma_z_high) : std::vector<double>{0};
  for (const double sigma : widths_between(options.sigma_low, options.sigma_high)) {
    for (const double sigma_z : along) {
      const Kernel kernel(sigma, sigma_z, left, *options.shape);
      const std::vector<double> values = responses(left, sure, noise, kernel);
      const auto known = static_cast<double>(values.size());
      const double pixels =
          static_cast<double>(values.size() * kernel.step * kernel.step * kernel.step_z);
      const double independent = std::min(known, pixels / kernel.places);
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

Pixels sure_light(const LocateResult& found, const PsfShape& shape) {
  std::vector<Source> unsure;
  for (const Detection& detection : found.detections) {
    if (std::abs(detection.snr) >= kSureSignal) continue;
    for (Source source : detection.joined) {
      source.flux = -source.flux;
      unsure.push_back(source);
    }
  }
  const Image& model = found.model;
  return {model.width, model.height, model.depth,
          [&model, &shape, unsure = std::move(unsure)](const Box& box) {
            Image part = cut(model, box);
            for (const Source& source : unsure) shape.add_to_part(source, model, box, part);
            return part;
          }};
}

}  // namespace ardent
