#include "ardent/imaging/tiling.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/imaging/source_density.h"

namespace ardent {
namespace {

constexpr Index kWhole = 40;  // an image that is no larger is one tile; a stack would be large then
constexpr double kSeam = 1;   // pixels

/// Tiles along one axis of `pixels`, which is not cut where it has no more than `whole`; `size`
/// becomes the size of all of them.
std::vector<TileSpan> spans(Index pixels, Index whole, Index core, double reach, Index& size) {
  constexpr Index kLeastMargin = 5;
  const auto margin = std::max(kLeastMargin, static_cast<Index>(std::ceil(reach)));
  if (pixels <= std::max(whole, core + 2 * margin)) {
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
  double inside = 0;  // its tile's core: how far from the border; outside: below 0
};

double inside(double at, const TileSpan& span, Index pixels) {
  const double low =
      span.core_begin == 1 ? INFINITY : at - (static_cast<double>(span.core_begin) - 0.5);
  const double high =
      span.core_end == pixels ? INFINITY : static_cast<double>(span.core_end) + 0.5 - at;
  return std::min(low, high);
}

/// A detection in the tile's pixels, in the image's.
Detection on_image(Detection detection, const Box& tile) {
  const auto move = [&](Source& source) {
    source.x += static_cast<double>(tile.left - 1);
    source.y += static_cast<double>(tile.low - 1);
    source.z += static_cast<double>(tile.near - 1);
  };
  move(detection.source);
  for (Source& source : detection.joined) move(source);
  return detection;
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
      if (distance(first, second) > kSeam) continue;
      gone[found[a].inside >= found[b].inside ? b : a] = true;
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

/// What a process sends of the tile that it searched (packed.h).
template <class Stream, class Result>
void transfer_tile(Stream& stream, Result& result) {
  stream.each("detections", result.detections, [](auto& s, auto& detection) {
    s.field("source", detection.source);
    s.field("flux_sd", detection.flux_sd);
    s.field("probability", detection.probability);
    s.field("snr", detection.snr);
    s.list("joined", detection.joined);
  });
  auto& model = result.model;
  for (auto* size : {&model.width, &model.height, &model.depth}) stream.field("size", *size);
  stream.list("pixels", model.pixels);
  stream.list("active", result.code.active);
  stream.list("theta", result.code.theta);
}

/// A tile's core of the model in the image's.
void put_core(const Image& part, const TileSpan& x, const TileSpan& y, const TileSpan& z,
              Image& model) {
  for (Index k = z.core_begin; k <= z.core_end; ++k) {
    for (Index j = y.core_begin; j <= y.core_end; ++j) {
      for (Index i = x.core_begin; i <= x.core_end; ++i) {
        model.at(i, j, k) = part.at(i - x.begin + 1, j - y.begin + 1, k - z.begin + 1);
      }
    }
  }
}

}  // namespace

Tiling::Tiling(const Pixels& image, Index core, double reach, double reach_z,
               const MakeTileDictionary& make, TaskFarm* farm)
    : width_(image.width), height_(image.height), depth_(image.depth), farm_(farm) {
  const Index whole = image.is_stack() ? 0 : kWhole;
  x_ = spans(width_, whole, core, reach, tile_.width);
  y_ = spans(height_, whole, core, reach, tile_.height);
  z_ = spans(depth_, whole, core, reach_z, tile_.depth);
  dictionary_ = make(tile_);
  codes_.resize(count());
}

Tiling::Spans Tiling::spans_of(Index tile) const {
  const Index across = std::ssize(x_), up = std::ssize(y_);
  return {x_[tile % across], y_[tile / across % up], z_[tile / (across * up)]};
}

Box Tiling::box_of(Index tile) const {
  const Spans at = spans_of(tile);
  return {at.x.begin, at.y.begin, at.z.begin, tile_.width, tile_.height, tile_.depth};
}

PixelNoise Tiling::noise_in(const PixelNoise& noise, const Image& pixels, const Box& box) const {
  PixelNoise part = noise;
  if (noise.has_one_base()) return part;
  part.base = cut(noise.base, box);
  part.variance = typical_variance(part.base, pixels);
  return part;
}

std::vector<Detection> Tiling::run(const Pixels& sky_free, const PixelNoise& noise,
                                   const TileOptions& options, Image& model,
                                   const ProgressCallback& progress) {
  std::vector<std::vector<Found>> found(count());
  std::mutex mutex;
  Index done = 0, sources = 0;
  const auto search = [&](Index t) {
    const Box box = box_of(t);
    const Image tile = sky_free.cut(box);
    if (known_pixels(tile) == 0) return TileResult{};
    return locate_in_tile(tile, noise_in(noise, tile, box), dictionary_, options, codes_[t]);
  };
  const auto keep = [&](Index t, const TileResult& result) {
    if (result.model.pixels.empty()) return;
    const auto [x, y, z] = spans_of(t);
    codes_[t] = result.code;
    for (const Detection& in_tile : result.detections) {
      const Detection detection = on_image(in_tile, box_of(t));
      const Source& at = detection.source;
      const double deep =
          std::min({inside(at.x, x, width_), inside(at.y, y, height_), inside(at.z, z, depth_)});
      if (deep >= -kSeam) found[t].push_back({detection, t, deep});
    }
    put_core(result.model, x, y, z, model);
    if (!progress) return;
    const std::lock_guard lock(mutex);
    sources += std::ssize(found[t]);
    if (!progress({"tiles", ++done, count(), 0, sources, "", "sources"})) {
      throw Error("stopped while finding sources");
    }
  };
  if (farm_) {
    const auto results = dealt_out<TileResult>(
        farm_, count(), search, [](auto& stream, auto& result) { transfer_tile(stream, result); });
    for (Index t = 0; t < count(); ++t) keep(t, results[t]);
  } else {
    parallel_for(count(), [&](Index t) { keep(t, search(t)); });
  }
  std::vector<Found> all;
  for (const auto& of_tile : found) all.insert(all.end(), of_tile.begin(), of_tile.end());
  std::vector<Detection> detections = without_repeats(std::move(all));
  if (options.refine && !options.only_code && count() > 1) {
    judge_by_density(detections, tile_areas(), options.least_probability);
    // The sources of the catalogue, whichever tile they came from: no seams.
    std::fill(model.pixels.begin(), model.pixels.end(), 0.0);
    for (const Detection& detection : detections) {
      for (const Source& source : detection.joined) options.fit.shape->add(source, model);
    }
  }
  // One that lies beyond the border explains light, but it cannot be seen.
  const auto beyond = [](double at, Index pixels) {
    return at < 0.5 || at > static_cast<double>(pixels) + 0.5;
  };
  std::erase_if(detections, [&](const Detection& detection) {
    const Source& source = detection.source;
    return beyond(source.x, width_) || beyond(source.y, height_) || beyond(source.z, depth_);
  });
  return detections;
}

std::vector<MeasuredWidth> Tiling::measure_widths(const Pixels& sky_free, const PixelNoise& noise,
                                                  const TileOptions& options,
                                                  std::span<const Index> tiles) const {
  std::vector<std::vector<MeasuredWidth>> of_tile(tiles.size());
  parallel_for(std::ssize(tiles), [&](Index k) {
    const Box box = box_of(tiles[k]);
    const Image tile = sky_free.cut(box);
    if (known_pixels(tile) == 0) return;
    const Spans at = spans_of(tiles[k]);
    for (MeasuredWidth one :
         ardent::measure_widths(tile, noise_in(noise, tile, box), dictionary_, options)) {
      one.source.x += static_cast<double>(box.left - 1);
      one.source.y += static_cast<double>(box.low - 1);
      one.source.z += static_cast<double>(box.near - 1);
      const double deep =
          std::min({inside(one.source.x, at.x, width_), inside(one.source.y, at.y, height_),
                    inside(one.source.z, at.z, depth_)});
      if (deep >= 0) of_tile[k].push_back(one);
    }
  });
  std::vector<MeasuredWidth> all;
  for (const auto& some : of_tile) all.insert(all.end(), some.begin(), some.end());
  return all;
}

double Tiling::largest_lambda(const Pixels& sky_free) const {
  double largest = 0;
  for (Index t = 0; t < count(); ++t) {
    largest = std::max(largest, largest_lambda_of(sky_free.cut(box_of(t)), dictionary_));
  }
  return largest;
}

}  // namespace ardent
