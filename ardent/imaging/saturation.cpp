#include "ardent/imaging/saturation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace ardent {
namespace {

using Patches = std::unordered_map<std::size_t, Index>;

/// Positions of saturated pixels, in order.
std::vector<std::size_t> saturated_pixels(const Pixels& image) {
  std::vector<std::size_t> places;
  visit_bands(image, [&](std::size_t first, std::span<const double> some) {
    for (std::size_t k = 0; k < some.size(); ++k) {
      if (std::isinf(some[k])) places.push_back(first + k);
    }
  });
  return places;
}

/// The number of the patch that a pixel belongs to, from 1 on, of those that belong to one: the
/// saturated ones and a pixel around them.
Patches patches(const Pixels& image, const std::vector<std::size_t>& saturated) {
  const Image size = image.empty();
  Patches patch;
  Index count = 0;
  for (const std::size_t start : saturated) {
    // One that borders on an earlier patch already belongs to it.
    if (!patch.try_emplace(start, count + 1).second) continue;
    ++count;
    for (std::vector<std::size_t> open{start}; !open.empty();) {
      const auto at = static_cast<Index>(open.back());
      open.pop_back();
      visit_neighbours(size, at % size.width + 1, at / size.width % size.height + 1,
                       at / (size.width * size.height) + 1, [&](Index u, Index v, Index w) {
                         const std::size_t place = size.place(u, v, w);
                         if (!patch.try_emplace(place, count).second) return;
                         if (std::ranges::binary_search(saturated, place)) open.push_back(place);
                       });
    }
  }
  return patch;
}

}  // namespace

void mark_saturated(Image& image, double level) {
  for (double& value : image.pixels) {
    if (value >= level) value = INFINITY;
  }
}

std::vector<Detection> joined_on_patches(const Pixels& image, std::vector<Detection> detections) {
  const std::vector<std::size_t> saturated = saturated_pixels(image);
  if (saturated.empty()) return detections;
  const Patches patch = patches(image, saturated);
  const Image size = image.empty();
  std::map<Index, std::vector<Detection>> on;
  std::vector<Detection> result;
  for (Detection& detection : detections) {
    const auto pixel = [](double at, Index pixels) {
      return std::clamp<Index>(std::lround(at), 1, pixels);
    };
    const Source& at = detection.source;
    const auto mark = patch.find(
        size.place(pixel(at.x, image.width), pixel(at.y, image.height), pixel(at.z, image.depth)));
    if (mark == patch.end()) {
      result.push_back(std::move(detection));
    } else {
      on[mark->second].push_back(std::move(detection));
    }
  }
  for (auto& [mark, all] : on) {
    for (Detection& one : joined(std::move(all), INFINITY)) result.push_back(std::move(one));
  }
  std::stable_sort(result.begin(), result.end(), [](const Detection& a, const Detection& b) {
    return a.source.flux > b.source.flux;
  });
  return result;
}

}  // namespace ardent
