#include "ardent/imaging/source_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ardent/base/error.h"
#include "ardent/imaging/bad_pixels.h"
#include "ardent/imaging/locate_tiles.h"
#include "ardent/imaging/pixel_mask.h"
#include "ardent/imaging/profile_error.h"
#include "ardent/imaging/psf_image.h"
#include "ardent/imaging/saturation.h"
#include "ardent/imaging/shared_width.h"
#include "ardent/imaging/uneven_sky.h"
#include "ardent/imaging/width_noise.h"

namespace ardent {
namespace {

// Later ones move the sky by hundredths of the noise, down to where more chance sources are found.
constexpr int kSkyRounds = 2;
constexpr double kSkyTolerance = 0.03;    // standard deviations of the noise
constexpr double kErrorTolerance = 0.2;   // of the profile error, or a hundredth of the light
constexpr double kNoiseTolerance = 0.02;  // of the variance
constexpr double kRatioTolerance = 0.05;  // of the noise of a width

const Image& checked(const Image& image, const LocateOptions& options) {
  if (known_pixels(image) == 0) {
    throw InputError(fmt::format("none of the {} is a number", size_text(image)));
  }
  check_pixel_range(image);
  if (!options.psf || options.psf->is_stack() == image.is_stack()) return image;
  throw InputError(image.is_stack() ? "the PSF of a stack is a stack itself: this one has one plane"
                                    : "the PSF has several planes, and the image has one");
}

}  // namespace

SourceSearch::SourceSearch(Image image, const LocateOptions& options,
                           const ProgressCallback& progress)
    : given_(options),
      options_(options),
      progress_(progress),
      tiling_(tiling_of(checked(image, options), options)),
      tile_(tile_options(options)) {
  masked_ = leave_out_masked(image, options);
  checked(image, options);
  mark_saturated(image, options.saturation);
  image_ = StoredImage(std::move(image));
}

void SourceSearch::estimate_sky() {
  const Pixels image = image_.pixels();
  background_ = estimate_background(image, options_.background, options_.background_cell);
  profile_error_ = std::max(0.0, options_.profile_error);
  // A narrower image is mostly rim, whose pixels have few neighbours to be judged by.
  if (options_.bad_pixels == BadPixels::keep || std::min(image.width, image.height) <= 4) return;
  const PsfImage* psf = options_.psf.get();
  sharpest_ = sharpest_ratio(*tile_.fit.shape, psf ? psf->sigma() : options_.sigma_low,
                             psf ? psf->sigma_z() : options_.sigma_z_low, image.is_stack());
  const Pixels clear = sky_free();
  noise_ = noise_of(clear);
  reject_sharp(clear, nullptr);
}

bool SourceSearch::settle_width() {
  const Pixels image = image_.pixels();
  if (!may_share_width(image, given_)) return false;
  const Pixels clear = sky_free();
  noise_ = noise_of(clear);
  const auto shared =
      shared_width(tiling_of(image, given_), clear, noise_, with_saturation(tile_options(given_)));
  if (!shared && options_.sigma_low == given_.sigma_low) return false;
  options_.sigma_low = shared.value_or(given_.sigma_low);
  options_.sigma_high = shared.value_or(given_.sigma_high);
  tiling_ = tiling_of(image, options_);
  tile_ = tile_options(options_);
  return shared.has_value();
}

void SourceSearch::settle_background() {
  if (sky_is_known()) return;
  TileOptions tile = tile_;
  tile.only_code = true;
  for (int round = 0; round < kSkyRounds; ++round) {
    const Background before = background_;
    const LocateResult coded = find_sources(tile, "sky: tiles");
    background_ = background_of(coded.model);
    if (largest_change(background_, before) <= kSkyTolerance * std::sqrt(coded.noise_variance)) {
      return;
    }
  }
}

LocateResult SourceSearch::find_sources() {
  return find_sources(tile_, fmt::format("search {}: tiles", ++passes_));
}
LocateResult SourceSearch::find_sources(double lambda) {
  TileOptions tile = tile_;
  tile.lambda = lambda;
  return find_sources(tile, fmt::format("lambda {:.3g}: tiles", lambda));
}

bool SourceSearch::estimate_again(const LocateResult& result) {
  Background background = background_of(result.model);
  const Pixels left = minus(minus(image_.pixels(), background), result.model);
  double error = profile_error_;
  if (options_.profile_error < 0) {
    error = estimate_profile_error(left, result.model, noise_);
  }
  const bool unchanged =
      largest_change(background, background_) <= kSkyTolerance * std::sqrt(result.noise_variance) &&
      std::abs(error - profile_error_) <= std::max(0.01, kErrorTolerance * error);
  profile_error_ = noise_.profile_error = error;
  const bool rejected = sharpest_ > 0 && reject_sharp(left, &result.model);
  background_ = std::move(background);
  const bool same_scatter = width_noise_is_unchanged(result);
  return unchanged && !rejected && same_scatter && noise_is_unchanged(result);
}

/// What the image less the light of its sources shows. Sources found on a constant under an uneven
/// sky have taken up part of it: the first map is that of the image itself, and as it follows the
/// sky, it is never asked again whether there is to be one.
Background SourceSearch::background_of(const Image& light) {
  const Pixels image = image_.pixels(), left = minus(image, light);
  const bool changes =
      options_.background == BackgroundKind::automatic && is_uneven(left, options_.background_cell);
  if (changes) options_.background = BackgroundKind::map;
  return estimate_background(changes ? image : left, options_.background, options_.background_cell);
}

/// Where the background is a map, its highest place makes the least of this.
TileOptions SourceSearch::with_saturation(TileOptions tile) const {
  tile.saturation =
      std::isfinite(options_.saturation) ? options_.saturation - background_.highest() : 0;
  return tile;
}

LocateResult SourceSearch::find_sources(const TileOptions& tile, const std::string& task) {
  const Pixels clear = sky_free();
  noise_ = noise_of(clear);
  noise_.widths = width_noise_;
  searched_background_ = background_;
  LocateResult result;
  result.noise_variance = noise_.variance;
  result.profile_error = profile_error_;
  result.width_noise = width_noise_;
  result.masked_pixels = masked_;
  result.bad_pixels = bad_;
  if (options_.psf) result.warnings = sky_warnings(options_.psf->sky());
  result.model = blank_like(clear.empty());
  result.tiles = tiling_.count();
  result.detections = joined_on_patches(
      image_.pixels(),
      tiling_.run(clear, noise_, with_saturation(tile), result.model, progress_of(task)));
  return result;
}

/// Photons of the sources are in the first estimate of the sky's noise, and not in the next.
bool SourceSearch::noise_is_unchanged(const LocateResult& result) {
  if (options_.gain == 0) return true;
  light_ = result.model;
  const double variance = noise_of(sky_free()).variance;
  return std::abs(variance - result.noise_variance) <= kNoiseTolerance * variance;
}

/// Of what sure sources leave: without refinement nothing says which are.
bool SourceSearch::width_noise_is_unchanged(const LocateResult& result) {
  if (options_.noise_scale == NoiseScale::pixel || !options_.tile.refine) return true;
  PsfFitOptions widths = tile_.fit;
  if (options_.psf) {
    widths.sigma_low = widths.sigma_high = options_.psf->sigma();
    widths.sigma_z_low = widths.sigma_z_high = options_.psf->sigma_z();
  }
  const Pixels sure = sure_light(result, *widths.shape), clear = sky_free();
  const Pixels left{clear.width, clear.height, clear.depth,
                    [&](const Box& box) { return minus(clear.cut(box), sure.cut(box)); }};
  const auto before = std::exchange(width_noise_, measure_width_noise(left, sure, noise_, widths));
  const auto largest = std::max(before.size(), width_noise_.size());
  for (std::size_t k = 0; k < largest; ++k) {
    const double was = before.empty() ? 1 : before[k].ratio;
    const double is = width_noise_.empty() ? 1 : width_noise_[k].ratio;
    if (std::abs(is - was) > kRatioTolerance) return false;
  }
  return true;
}

PixelNoise SourceSearch::noise_of(const Pixels& clear) const {
  PixelNoise noise = estimate_noise(
      options_.gain > 0 ? without_photons(clear) : clear, background_.pixels(),
      {options_.noise, options_.gain, options_.read_noise, options_.errors()});
  noise.profile_error = profile_error_;
  return noise;
}

/// Without the pixels to whose noise the sources found so far add: it is that of the sky alone
/// which is estimated.
Pixels SourceSearch::without_photons(const Pixels& clear) const {
  constexpr double kFew = 0.05;  // of the noise's variance
  if (light_.pixels.empty()) return clear;
  const double most = kFew * options_.gain * noise_.variance;
  return {clear.width, clear.height, clear.depth, [this, clear, most](const Box& box) {
            Image part = clear.cut(box);
            const Image light = ardent::cut(light_, box);
            for (std::size_t p = 0; p < part.pixels.size(); ++p) {
              if (light.pixels[p] > most) part.pixels[p] = std::nan("");
            }
            return part;
          }};
}

/// Leaves out pixels that no source explains; were there any? `model`: what `clear` is left of.
bool SourceSearch::reject_sharp(const Pixels& clear, const Image* model) {
  const auto side = model || !options_.tile.nonnegative ? BadPixelSide::both_alike
                                                        : BadPixelSide::sources_are_bright;
  const auto found = find_bad_pixels(clear, noise_, sharpest_, side, model);
  for (const std::size_t p : found) image_.set(p, std::nan(""));
  bad_.insert(bad_.end(), found.begin(), found.end());
  std::sort(bad_.begin(), bad_.end());
  return !found.empty();
}

ProgressCallback SourceSearch::progress_of(const std::string& task) const {
  if (!progress_) return {};
  return [this, task](ProgressEvent event) {
    event.task = task;
    return progress_(event);
  };
}

}  // namespace ardent
