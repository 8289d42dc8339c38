#include "ardent/imaging/locate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"

namespace ardent {
namespace {

constexpr Index kWhole = 40;       // an image that is no larger is one tile
constexpr double kSeam = 1;        // pixels
constexpr double kSettled = 0.03;  // standard deviations of the noise: of a background

struct Span {
  Index core_begin, core_end;  // pixels, both included
  Index begin;                 // of the tile
};

/// Tiles along one axis of `pixels`; `size` becomes the size of all of them.
std::vector<Span> spans(Index pixels, Index core, Index margin, Index& size) {
  if (pixels <= std::max(kWhole, core + 2 * margin)) {
    size = pixels;
    return {{1, pixels, 1}};
  }
  const Index count = (pixels + core - 1) / core;
  size = std::min(pixels, (pixels + count - 1) / count + 2 * margin);
  std::vector<Span> all;
  for (Index k = 0; k < count; ++k) {
    const Index begin = k * pixels / count + 1, end = (k + 1) * pixels / count;
    all.push_back({begin, end, std::clamp<Index>(begin - margin, 1, pixels - size + 1)});
  }
  return all;
}

struct Found {
  Detection detection;
  std::size_t tile = 0;
  double depth = 0;  // inside its tile's core: how far from the border; outside: below 0
};

double depth(double at, const Span& span, Index pixels) {
  const double low =
      span.core_begin == 1 ? INFINITY : at - (static_cast<double>(span.core_begin) - 0.5);
  const double high =
      span.core_end == pixels ? INFINITY : static_cast<double>(span.core_end) + 0.5 - at;
  return std::min(low, high);
}

/// One report of each source.
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
      if (std::hypot(first.x - second.x, first.y - second.y) > kSeam) continue;
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

Image cut(const Image& image, Index left, Index low, Index width, Index height) {
  Image tile = blank_image(width, height);
  for (Index y = 1; y <= height; ++y) {
    for (Index x = 1; x <= width; ++x) tile.at(x, y) = image.at(left + x - 1, low + y - 1);
  }
  return tile;
}

void require(bool holds, const char* field, const char* rule, double value) {
  if (!holds) throw InputError(fmt::format("{} must be {}, not {}", field, rule, value));
}

class Tiling {
 public:
  Tiling(const Image& image, double noise_variance, const LocateOptions& options,
         const ProgressCallback& progress)
      : image_(image), noise_(noise_variance), options_(options), progress_(progress) {
    const auto margin = std::max<Index>(5, static_cast<Index>(std::ceil(3 * options.sigma_high)));
    across_ = spans(image.width, options.core, margin, width_);
    up_ = spans(image.height, options.core, margin, height_);
    options_.tile.fit.sigma_low = options.sigma_low;
    options_.tile.fit.sigma_high = options.sigma_high;
  }

  Index count() const { return static_cast<Index>(across_.size() * up_.size()); }

  /// Fills the model and gives what was found, in the order of the tiles.
  std::vector<Found> run(Image& model) {
    TileDictionary dictionary(PsfGrid{width_, height_, options_.sigma_low, options_.sigma_high});
    std::vector<std::vector<Found>> found(static_cast<std::size_t>(count()));
    parallel_for(count(), [&](Index t) {
      const Span& x = across_[static_cast<std::size_t>(t) % across_.size()];
      const Span& y = up_[static_cast<std::size_t>(t) / across_.size()];
      const Image tile = cut(image_, x.begin, y.begin, width_, height_);
      if (known_pixels(tile) == 0) return;
      const TileResult result = locate_in_tile(tile, noise_, dictionary, options_.tile);
      collect(result, x, y, static_cast<std::size_t>(t), found[static_cast<std::size_t>(t)]);
      for (Index row = y.core_begin; row <= y.core_end; ++row) {
        for (Index column = x.core_begin; column <= x.core_end; ++column) {
          model.at(column, row) = result.model.at(column - x.begin + 1, row - y.begin + 1);
        }
      }
      tell();
    });
    std::vector<Found> all;
    for (const auto& of_tile : found) all.insert(all.end(), of_tile.begin(), of_tile.end());
    return all;
  }

 private:
  void collect(const TileResult& result, const Span& x, const Span& y, std::size_t tile,
               std::vector<Found>& found) const {
    for (Detection detection : result.detections) {
      detection.source.x += static_cast<double>(x.begin - 1);
      detection.source.y += static_cast<double>(y.begin - 1);
      const double inside = std::min(depth(detection.source.x, x, image_.width),
                                     depth(detection.source.y, y, image_.height));
      if (inside >= -kSeam) found.push_back({detection, tile, inside});
    }
  }

  void tell() {
    if (!progress_) return;
    const std::lock_guard lock(mutex_);
    if (!progress_({"tiles", ++done_, count(), 0, 0})) throw Error("stopped while finding sources");
  }

  const Image& image_;
  double noise_;
  LocateOptions options_;
  const ProgressCallback& progress_;
  std::vector<Span> across_, up_;
  Index width_ = 0, height_ = 0;
  std::mutex mutex_;
  Index done_ = 0;
};

Image minus(Image image, const Image& other) {
  for (std::size_t p = 0; p < image.pixels.size(); ++p) image.pixels[p] -= other.pixels[p];
  return image;
}

LocateResult locate_over(const Image& image, Image background, const LocateOptions& options,
                         const ProgressCallback& progress) {
  const Image sky_free = minus(image, background);
  LocateResult result;
  result.background = std::move(background);
  result.noise_variance = options.noise > 0 ? options.noise : estimate_noise_variance(sky_free);
  if (!(result.noise_variance > 0)) {
    throw InputError(fmt::format(
        "the noise of an image of {} × {} pixels cannot be told from it (it is too small, or its "
        "pixels are all alike): give its variance with --noise",
        image.width, image.height));
  }
  result.model = blank_image(image.width, image.height);
  Tiling tiling(sky_free, result.noise_variance, options, progress);
  result.tiles = tiling.count();
  result.detections = without_repeats(tiling.run(result.model));
  if (options.tile.refine && result.tiles > 1) {
    // The sources of the catalogue, whichever tile they came from: no seams.
    std::fill(result.model.pixels.begin(), result.model.pixels.end(), 0.0);
    for (const Detection& detection : result.detections) add_source(detection.source, result.model);
  }
  return result;
}

}  // namespace

void validate(const LocateOptions& options) {
  require(options.sigma_low > 0 && std::isfinite(options.sigma_low), "sigma", "> 0 and finite",
          options.sigma_low);
  require(options.sigma_high >= options.sigma_low && options.sigma_high <= 50, "the upper sigma",
          "at least the lower one and at most 50", options.sigma_high);
  require(options.noise >= 0 && std::isfinite(options.noise), "noise", ">= 0 and finite",
          options.noise);
  require(options.core >= 4, "core", ">= 4", static_cast<double>(options.core));
  require(options.tile.lambda >= 0 && std::isfinite(options.tile.lambda), "lambda",
          ">= 0 and finite", options.tile.lambda);
  require(options.tile.lambda_factor > 0 && std::isfinite(options.tile.lambda_factor),
          "lambda_factor", "> 0 and finite", options.tile.lambda_factor);
  require(options.tile.merge >= 0, "merge", ">= 0", options.tile.merge);
  require(options.tile.least_probability >= 0 && options.tile.least_probability < 1,
          "least_probability", "in [0, 1)", options.tile.least_probability);
}

LocateResult locate(const Image& image, const LocateOptions& options,
                    const ProgressCallback& progress) {
  validate(options);
  if (known_pixels(image) == 0) {
    throw InputError(
        fmt::format("none of the {} × {} pixels is a number", image.width, image.height));
  }
  LocateResult result =
      locate_over(image, estimate_background(image, options.background, options.background_cell),
                  options, progress);
  if (options.background == BackgroundKind::none) return result;
  // Under many sources the first background is too high; what they leave tells it better.
  const Image again =
      estimate_background(minus(image, result.model), options.background, options.background_cell);
  double most = 0;
  for (std::size_t p = 0; p < again.pixels.size(); ++p) {
    most = std::max(most, std::abs(again.pixels[p] - result.background.pixels[p]));
  }
  if (most <= kSettled * std::sqrt(result.noise_variance)) return result;
  return locate_over(image, again, options, progress);
}

}  // namespace ardent
