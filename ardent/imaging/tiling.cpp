#include "ardent/imaging/tiling.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/base/parallel.h"

namespace ardent {
namespace {

constexpr Index kWhole = 40;  // an image that is no larger is one tile
constexpr double kSeam = 1;   // pixels

/// Tiles along one axis of `pixels`; `size` becomes the size of all of them.
std::vector<TileSpan> spans(Index pixels, Index core, Index margin, Index& size) {
  if (pixels <= std::max(kWhole, core + 2 * margin)) {
    size = pixels;
    return {{1, pixels, 1}};
  }
  const Index count = (pixels + core - 1) / core;
  size = std::min(pixels, (pixels + count - 1) / count + 2 * margin);
  std::vector<TileSpan> all;
  for (Index k = 0; k < count; ++k) {
    const Index begin = k * pixels / count + 1, end = (k + 1) * pixels / count;
    all.push_back({begin, end, std::clamp<Index>(begin - margin, 1, pixels - size + 1)});
  }
  return all;
}

struct Found {
  Detection detection;
  Index tile = 0;
  double depth = 0;  // inside its tile's core: how far from the border; outside: below 0
};

double depth(double at, const TileSpan& span, Index pixels) {
  const double low =
      span.core_begin == 1 ? INFINITY : at - (static_cast<double>(span.core_begin) - 0.5);
  const double high =
      span.core_end == pixels ? INFINITY : static_cast<double>(span.core_end) + 0.5 - at;
  return std::min(low, high);
}

/// One report of each source, the brightest first.
std::vector<Detection> without_repeats(std::vector<Found> found) {
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return a.detection.source.x < b.detection.source.x;
  });
  std::vector<bool> gone(found.size(), false);
  for (std::size_t a = 0; a < found.size(); ++a) {
    for (std::size_t b = a + 1; b < found.size() && !gone[a]; ++b) {
      const Source& first = found[a].detection.source;
      const Source& second = found[b].detection.source;
      if (second.x - first.x > kSeam) break;
      if (gone[b] || found[a].tile == found[b].tile) continue;
      if (elementary::length(first.x - second.x, first.y - second.y) > kSeam) continue;
      gone[found[a].depth >= found[b].depth ? b : a] = true;
    }
  }
  std::vector<Detection> detections;
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (!gone[k]) detections.push_back(found[k].detection);
  }
  std::stable_sort(
      detections.begin(), detections.end(),
      [](const Detection& a, const Detection& b) { return a.source.flux > b.source.flux; });
  return detections;
}

}  // namespace

Tiling::Tiling(const Image& image, Index core, double reach, const MakeTileDictionary& make)
    : image_width_(image.width), image_height_(image.height) {
  constexpr Index kLeastMargin = 5;
  const auto margin = std::max(kLeastMargin, static_cast<Index>(std::ceil(reach)));
  across_ = spans(image.width, core, margin, width_);
  up_ = spans(image.height, core, margin, height_);
  dictionary_ = make(width_, height_);
  codes_.resize(count());
}

const TileSpan& Tiling::column(Index tile) const {
  return across_[static_cast<std::size_t>(tile) % across_.size()];
}

const TileSpan& Tiling::row(Index tile) const {
  return up_[static_cast<std::size_t>(tile) / across_.size()];
}

Image Tiling::cut(const Image& image, Index tile) const {
  const Index left = column(tile).begin, low = row(tile).begin;
  Image cutout = blank_image(width_, height_);
  for (Index y = 1; y <= height_; ++y) {
    for (Index x = 1; x <= width_; ++x) cutout.at(x, y) = image.at(left + x - 1, low + y - 1);
  }
  return cutout;
}

PixelNoise Tiling::cut(const PixelNoise& noise, const Image& pixels, Index tile) const {
  PixelNoise part = noise;
  if (noise.has_one_base()) return part;
  part.base = cut(noise.base, tile);
  part.variance = typical_variance(part.base, pixels);
  return part;
}

std::vector<Detection> Tiling::run(const Image& sky_free, const PixelNoise& noise,
                                   const TileOptions& options, Image& model,
                                   const ProgressCallback& progress) {
  std::vector<std::vector<Found>> found(count());
  std::mutex mutex;
  Index done = 0, sources = 0;
  parallel_for(count(), [&](Index t) {
    const TileSpan &x = column(t), &y = row(t);
    const Image tile = cut(sky_free, t);
    if (known_pixels(tile) == 0) return;
    SparseCode& code = codes_[t];
    const TileResult result = locate_in_tile(tile, cut(noise, tile, t), dictionary_, options, code);
    code = result.code;
    for (Detection detection : result.detections) {
      const auto on_image = [&](Source& source) {
        source.x += static_cast<double>(x.begin - 1);
        source.y += static_cast<double>(y.begin - 1);
      };
      on_image(detection.source);
      for (Source& source : detection.joined) on_image(source);
      const double inside = std::min(depth(detection.source.x, x, image_width_),
                                     depth(detection.source.y, y, image_height_));
      if (inside >= -kSeam) found[t].push_back({detection, t, inside});
    }
    for (Index row = y.core_begin; row <= y.core_end; ++row) {
      for (Index column = x.core_begin; column <= x.core_end; ++column) {
        model.at(column, row) = result.model.at(column - x.begin + 1, row - y.begin + 1);
      }
    }
    if (!progress) return;
    const std::lock_guard lock(mutex);
    sources += std::ssize(found[t]);
    if (!progress({"tiles", ++done, count(), 0, sources, "", "sources"})) {
      throw Error("stopped while finding sources");
    }
  });
  std::vector<Found> all;
  for (const auto& of_tile : found) all.insert(all.end(), of_tile.begin(), of_tile.end());
  std::vector<Detection> detections = without_repeats(std::move(all));
  if (options.refine && count() > 1) {
    // The sources of the catalogue, whichever tile they came from: no seams.
    std::fill(model.pixels.begin(), model.pixels.end(), 0.0);
    for (const Detection& detection : detections) {
      for (const Source& source : detection.joined) options.fit.shape->add(source, model);
    }
  }
  // One that lies beyond the border explains light, but it cannot be seen.
  std::erase_if(detections, [&](const Detection& detection) {
    const Source& source = detection.source;
    return source.x < 0.5 || source.y < 0.5 || source.x > static_cast<double>(image_width_) + 0.5 ||
           source.y > static_cast<double>(image_height_) + 0.5;
  });
  return detections;
}

double Tiling::largest_lambda(const Image& sky_free) const {
  double largest = 0;
  for (Index t = 0; t < count(); ++t) {
    largest = std::max(largest, largest_lambda_of(cut(sky_free, t), dictionary_));
  }
  return largest;
}

}  // namespace ardent
