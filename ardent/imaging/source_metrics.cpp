#include "ardent/imaging/source_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"

namespace ardent {
namespace {

double box_iou(const Source& a, const Source& b, double side) {
  const double across = std::max(0.0, side - std::abs(a.x - b.x));
  const double up = std::max(0.0, side - std::abs(a.y - b.y));
  const double common = across * up;
  return common / (2 * side * side - common);
}

double mean_of_largest(std::span<const Source> each, std::span<const Source> others, double side) {
  double sum = 0;
  for (const Source& one : each) {
    double largest = 0;
    for (const Source& other : others) largest = std::max(largest, box_iou(one, other, side));
    sum += largest;
  }
  return sum / static_cast<double>(each.size());
}

}  // namespace

double group_iou(std::span<const Source> found, std::span<const Source> truth, double box) {
  if (!(box > 0)) throw InputError(fmt::format("the side of a box must be above 0, not {}", box));
  if (found.empty() && truth.empty()) return 1;
  return found.size() > truth.size() ? mean_of_largest(found, truth, box)
                                     : mean_of_largest(truth, found, box);
}

Matches match_sources(std::span<const Source> found, std::span<const Source> truth, double radius) {
  if (!(radius > 0)) throw InputError(fmt::format("the radius must be above 0, not {}", radius));
  struct Pair {
    double distance;
    std::size_t found, truth;
  };
  // Only true sources within the radius in x are looked at.
  std::vector<std::size_t> by_x(truth.size());
  for (std::size_t t = 0; t < truth.size(); ++t) by_x[t] = t;
  std::sort(by_x.begin(), by_x.end(),
            [&](std::size_t a, std::size_t b) { return truth[a].x < truth[b].x; });
  std::vector<Pair> pairs;
  for (std::size_t f = 0; f < found.size(); ++f) {
    auto t = std::lower_bound(by_x.begin(), by_x.end(), found[f].x - radius,
                              [&](std::size_t a, double x) { return truth[a].x < x; });
    for (; t != by_x.end() && truth[*t].x <= found[f].x + radius; ++t) {
      const double distance = elementary::length(found[f].x - truth[*t].x, found[f].y - truth[*t].y,
                                                 found[f].z - truth[*t].z);
      if (distance <= radius) pairs.push_back({distance, f, *t});
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    if (a.distance != b.distance) return a.distance < b.distance;
    return a.found != b.found ? a.found < b.found : a.truth < b.truth;
  });
  std::vector<bool> found_taken(found.size()), truth_taken(truth.size());
  Matches matches;
  for (const Pair& pair : pairs) {
    if (found_taken[pair.found] || truth_taken[pair.truth]) continue;
    found_taken[pair.found] = truth_taken[pair.truth] = true;
    matches.distance += pair.distance;
    ++matches.pairs;
  }
  const auto fraction = [&](double scale, std::size_t of) {
    return of == 0 ? 1.0 : scale * static_cast<double>(matches.pairs) / static_cast<double>(of);
  };
  if (matches.pairs > 0) matches.distance /= static_cast<double>(matches.pairs);
  matches.recall = fraction(1, truth.size());
  matches.precision = fraction(1, found.size());
  matches.f1 = fraction(2, found.size() + truth.size());
  return matches;
}

double psnr(const Image& reference, const Image& image) {
  if (!have_same_size(reference, image)) {
    throw InputError(fmt::format("the reference has {} and the image {}", size_text(reference),
                                 size_text(image)));
  }
  double sum = 0, peak = -std::numeric_limits<double>::infinity();
  Index count = 0;
  for (std::size_t k = 0; k < image.pixels.size(); ++k) {
    const double error = reference.pixels[k] - image.pixels[k];
    if (std::isnan(error)) continue;
    sum += error * error;
    peak = std::max(peak, reference.pixels[k]);
    ++count;
  }
  if (count == 0) throw InputError("no pixel is known in both images");
  if (!(peak > 0)) {
    throw InputError(
        fmt::format("the brightest pixel of the reference is {}: PSNR needs one above 0", peak));
  }
  if (sum == 0) return std::numeric_limits<double>::infinity();
  return 20 / std::numbers::ln10 *
         elementary::log(peak / std::sqrt(sum / static_cast<double>(count)));
}

}  // namespace ardent
