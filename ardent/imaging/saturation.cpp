#include "ardent/imaging/saturation.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ardent {
namespace {

/// The number of the patch that each pixel belongs to, a pixel around it included; 0: none.
std::vector<Index> patches(const Image& image) {
  std::vector<Index> patch(image.pixels.size(), 0);
  Index count = 0;
  std::vector<std::pair<Index, Index>> open;
  const auto visit = [&](Index x, Index y) {
    for (Index v = std::max<Index>(1, y - 1); v <= std::min(image.height, y + 1); ++v) {
      for (Index u = std::max<Index>(1, x - 1); u <= std::min(image.width, x + 1); ++u) {
        Index& mark = patch[image.place(u, v)];
        if (mark != 0) continue;
        mark = count;
        if (std::isinf(image.at(u, v))) open.emplace_back(u, v);
      }
    }
  };
  for (Index y = 1; y <= image.height; ++y) {
    for (Index x = 1; x <= image.width; ++x) {
      // One that borders on an earlier patch already belongs to it.
      if (!std::isinf(image.at(x, y)) || patch[image.place(x, y)] != 0) continue;
      ++count;
      patch[image.place(x, y)] = count;
      open.emplace_back(x, y);
      while (!open.empty()) {
        const auto [u, v] = open.back();
        open.pop_back();
        visit(u, v);
      }
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

std::vector<Detection> joined_on_patches(const Image& image, std::vector<Detection> detections) {
  if (std::ranges::none_of(image.pixels, [](double value) { return std::isinf(value); })) {
    return detections;
  }
  const std::vector<Index> patch = patches(image);
  std::map<Index, std::vector<Detection>> on;
  std::vector<Detection> result;
  for (Detection& detection : detections) {
    const auto x = std::clamp<Index>(std::lround(detection.source.x), 1, image.width),
               y = std::clamp<Index>(std::lround(detection.source.y), 1, image.height);
    const Index mark = patch[image.place(x, y)];
    if (mark == 0) {
      result.push_back(std::move(detection));
    } else {
      on[mark].push_back(std::move(detection));
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
