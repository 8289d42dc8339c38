#include "ardent/imaging/saturation.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ardent {
namespace {

/// The number of the patch that each pixel belongs to, a pixel around it included; 0: none.
std::vector<Index> patches(const Image& image) {
  struct Place {
    Index x, y, z;
  };
  std::vector<Index> patch(image.pixels.size(), 0);
  Index count = 0;
  for (Index z = 1; z <= image.depth; ++z) {
    for (Index y = 1; y <= image.height; ++y) {
      for (Index x = 1; x <= image.width; ++x) {
        // One that borders on an earlier patch already belongs to it.
        if (!std::isinf(image.at(x, y, z)) || patch[image.place(x, y, z)] != 0) continue;
        patch[image.place(x, y, z)] = ++count;
        for (std::vector<Place> open{{x, y, z}}; !open.empty();) {
          const Place at = open.back();
          open.pop_back();
          visit_neighbours(image, at.x, at.y, at.z, [&](Index u, Index v, Index w) {
            Index& mark = patch[image.place(u, v, w)];
            if (mark != 0) return;
            mark = count;
            if (std::isinf(image.at(u, v, w))) open.push_back({u, v, w});
          });
        }
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
    const auto pixel = [](double at, Index pixels) {
      return std::clamp<Index>(std::lround(at), 1, pixels);
    };
    const Source& at = detection.source;
    const Index mark = patch[image.place(pixel(at.x, image.width), pixel(at.y, image.height),
                                         pixel(at.z, image.depth))];
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
