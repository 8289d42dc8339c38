#include "ardent/imaging/locate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/imaging/bad_pixels.h"
#include "ardent/imaging/locate_tiles.h"
#include "ardent/imaging/pixel_mask.h"
#include "ardent/imaging/profile_error.h"
#include "ardent/imaging/saturation.h"

namespace ardent {
namespace {

constexpr int kPasses = 4;
// Later ones move the sky by hundredths of the noise, down to where more chance sources are found.
constexpr int kSkyRounds = 2;
constexpr double kSkyTolerance = 0.03;    // standard deviations of the noise
constexpr double kErrorTolerance = 0.2;   // of the profile error, or a hundredth of the light
constexpr double kNoiseTolerance = 0.02;  // of the variance

double largest_change(const Image& a, const Image& b) {
  double most = 0;
  for (std::size_t p = 0; p < a.pixels.size(); ++p) {
    most = std::max(most, std::abs(a.pixels[p] - b.pixels[p]));
  }
  return most;
}

const Image& checked(const Image& image, const LocateOptions& options) {
  if (known_pixels(image) == 0) {
    throw InputError(fmt::format("none of the {} is a number", size_text(image)));
  }
  check_pixel_range(image);
  if (!options.psf || options.psf->is_stack() == image.is_stack()) return image;
  throw InputError(image.is_stack() ? "the PSF of a stack is a stack itself: this one has one plane"
                                    : "the PSF has several planes, and the image has one");
}

/// An image being searched: its tiles, and what is known of it so far.
class SourceSearch {
 public:
  SourceSearch(const Image& image, const LocateOptions& options, const ProgressCallback& progress)
      : image_(image),
        options_(options),
        progress_(progress),
        tiling_(tiling_of(checked(image, options), options)),
        tile_(tile_options(options)) {
    masked_ = leave_out_masked(image_, options);
    checked(image_, options);
    mark_saturated(image_, options.saturation);
  }

  /// Background, noise and bad pixels of an image whose sources are not known.
  void estimate_sky() {
    background_ = estimate_background(image_, options_.background, options_.background_cell);
    profile_error_ = std::max(0.0, options_.profile_error);
    // A narrower image is mostly rim, whose pixels have few neighbours to be judged by.
    if (options_.bad_pixels == BadPixels::keep || std::min(image_.width, image_.height) <= 4)
      return;
    const PsfImage* psf = options_.psf.get();
    sharpest_ = sharpest_ratio(*tile_.fit.shape, psf ? psf->sigma() : options_.sigma_low,
                               psf ? psf->sigma_z() : options_.sigma_z_low, image_.is_stack());
    const Image clear = sky_free();
    noise_ = noise_of(clear);
    reject_sharp(clear, nullptr);
  }

  /// Under many sources that background is too high: it is estimated again from what their codes
  /// leave, which needs no fit.
  void settle_background() {
    if (options_.background == BackgroundKind::none || !options_.tile.refine) return;
    TileOptions tile = tile_;
    tile.only_code = true;
    for (int round = 0; round < kSkyRounds; ++round) {
      const Image before = background_;
      const LocateResult coded = find_sources(tile, "sky: tiles");
      background_ = estimate_background(minus(image_, coded.model), options_.background,
                                        options_.background_cell);
      if (largest_change(background_, before) <= kSkyTolerance * std::sqrt(coded.noise_variance)) {
        return;
      }
    }
  }

  /// Code, refine and judge, tile by tile (tile.h).
  LocateResult find_sources() {
    return find_sources(tile_, fmt::format("search {}: tiles", ++passes_));
  }
  LocateResult find_sources(double lambda) {
    TileOptions tile = tile_;
    tile.lambda = lambda;
    return find_sources(tile, fmt::format("lambda {:.3g}: tiles", lambda));
  }

  /// Background, profile error and bad pixels from what the sources leave; true: none changed.
  bool estimate_again(const LocateResult& result) {
    Image background = estimate_background(minus(image_, result.model), options_.background,
                                           options_.background_cell);
    const Image left = minus(minus(image_, background), result.model);
    double error = profile_error_;
    if (options_.profile_error < 0) {
      error = estimate_profile_error(left, result.model, noise_);
    }
    const bool unchanged =
        largest_change(background, background_) <=
            kSkyTolerance * std::sqrt(result.noise_variance) &&
        std::abs(error - profile_error_) <= std::max(0.01, kErrorTolerance * error);
    background_ = std::move(background);
    profile_error_ = noise_.profile_error = error;
    const bool rejected = sharpest_ > 0 && reject_sharp(left, &result.model);
    return unchanged && !rejected && noise_is_unchanged(result);
  }

  Image sky_free() const { return minus(image_, background_); }
  double largest_lambda() const { return tiling_.largest_lambda(sky_free()); }
  const Image& image() const { return image_; }
  const PixelNoise& noise() const { return noise_; }  // of the last pass
  Index parameters_each() const {
    return std::ssize(fitted_parameters(tile_.fit, image_.is_stack()));
  }

 private:
  LocateResult find_sources(TileOptions tile, const std::string& task) {
    const Image clear = sky_free();
    noise_ = noise_of(clear);
    LocateResult result;
    result.background = background_;
    result.noise_variance = noise_.variance;
    result.profile_error = profile_error_;
    result.masked_pixels = masked_;
    result.bad_pixels = bad_;
    result.warnings = warnings();
    // Where the background is a map, its highest place makes the least of this.
    tile.saturation = std::isfinite(options_.saturation)
                          ? options_.saturation - *std::max_element(background_.pixels.begin(),
                                                                    background_.pixels.end())
                          : 0;
    result.model = blank_like(image_);
    result.tiles = tiling_.count();
    result.detections = joined_on_patches(
        image_, tiling_.run(clear, noise_, tile, result.model, progress_of(task)));
    return result;
  }

  /// Photons of the sources are in the first estimate of the sky's noise, and not in the next.
  bool noise_is_unchanged(const LocateResult& result) {
    if (options_.gain == 0) return true;
    light_ = result.model;
    const double variance = noise_of(sky_free()).variance;
    return std::abs(variance - result.noise_variance) <= kNoiseTolerance * variance;
  }

  PixelNoise noise_of(const Image& clear) const {
    PixelNoise noise = estimate_noise(
        options_.gain > 0 ? without_photons(clear) : clear, background_,
        {options_.noise, options_.gain, options_.read_noise, options_.error_map.get()});
    noise.profile_error = profile_error_;
    return noise;
  }

  /// Without the pixels to whose noise the sources found so far add: it is that of the sky alone
  /// which is estimated.
  Image without_photons(Image clear) const {
    constexpr double kFew = 0.05;  // of the noise's variance
    for (std::size_t p = 0; p < light_.pixels.size(); ++p) {
      if (light_.pixels[p] > kFew * options_.gain * noise_.variance) clear.pixels[p] = std::nan("");
    }
    return clear;
  }

  /// Leaves out pixels that no source explains; were there any? `model`: what `clear` is left of.
  bool reject_sharp(const Image& clear, const Image* model) {
    const auto side = model || !options_.tile.nonnegative ? BadPixelSide::both_alike
                                                          : BadPixelSide::sources_are_bright;
    const auto found = find_bad_pixels(clear, noise_, sharpest_, side, model);
    for (const std::size_t p : found) image_.pixels[p] = std::nan("");
    bad_.insert(bad_.end(), found.begin(), found.end());
    std::sort(bad_.begin(), bad_.end());
    return !found.empty();
  }

  std::vector<std::string> warnings() const {
    if (!options_.psf || options_.psf->sky().level == 0) return {};
    const PsfSky& sky = options_.psf->sky();
    return {
        fmt::format("a sky of {:.4g} was taken off every pixel of the PSF: it held {:.3g} times "
                    "as much light as the source",
                    sky.level, sky.part)};
  }

  ProgressCallback progress_of(const std::string& task) const {
    if (!progress_) return {};
    return [this, task](ProgressEvent event) {
      event.task = task;
      return progress_(event);
    };
  }

  Image image_;
  const LocateOptions& options_;
  const ProgressCallback& progress_;
  Tiling tiling_;
  TileOptions tile_;
  Image background_;
  PixelNoise noise_;
  Image light_;  // of the sources found so far, where there is a gain
  double profile_error_ = 0;
  double sharpest_ = 0;  // 0: bad pixels are kept
  std::vector<std::size_t> bad_;
  Index masked_ = 0;
  Index passes_ = 0;
};

LocateResult search_to_convergence(SourceSearch& search) {
  search.estimate_sky();
  search.settle_background();
  LocateResult result = search.find_sources();
  for (int pass = 1; pass < kPasses && !search.estimate_again(result); ++pass) {
    result = search.find_sources();
  }
  return result;
}

double bic(const SourceSearch& search, const LocateResult& found) {
  const PixelNoise& noise = search.noise();
  double chi_square = 0;
  Index known = 0;
  for (std::size_t p = 0; p < found.model.pixels.size(); ++p) {
    const double left =
        search.image().pixels[p] - found.background.pixels[p] - found.model.pixels[p];
    if (!std::isfinite(left)) continue;
    chi_square += left * left / noise.at(p, found.model.pixels[p]);
    ++known;
  }
  const auto parameters =
      static_cast<double>(search.parameters_each()) * static_cast<double>(found.detections.size());
  return chi_square + parameters * elementary::log(static_cast<double>(known));
}

}  // namespace

Image cleaned(Image image, const LocateResult& found) {
  std::ranges::transform(found.model.pixels, found.background.pixels, image.pixels.begin(),
                         std::plus<>());
  return image;
}

LocateResult locate(const Image& image, const LocateOptions& options,
                    const ProgressCallback& progress) {
  validate(options);
  SourceSearch search(image, options, progress);
  return search_to_convergence(search);
}

Sweep locate_sweep(const Image& image, const LocateOptions& options,
                   const ProgressCallback& progress) {
  validate(options);
  std::vector<double> lambdas = options.lambdas;
  SourceSearch search(image, options, progress);
  const LocateResult first = search_to_convergence(search);
  Sweep sweep;
  sweep.largest_lambda = search.largest_lambda();
  if (lambdas.empty()) {
    const double least = std::min(2 * first.noise_variance, 0.5 * sweep.largest_lambda);
    for (Index k = 0; k < options.sweep_count; ++k) {
      const double fraction = static_cast<double>(k) / static_cast<double>(options.sweep_count - 1);
      lambdas.push_back(sweep.largest_lambda *
                        elementary::power(least / sweep.largest_lambda, fraction));
    }
  }
  std::sort(lambdas.begin(), lambdas.end(), std::greater<>());
  for (const double lambda : lambdas) {
    SweepStep step{lambda, 0, search.find_sources(lambda)};
    step.bic = bic(search, step.found);
    sweep.steps.push_back(std::move(step));
    if (sweep.steps.back().bic < sweep.steps[sweep.chosen].bic) {
      sweep.chosen = sweep.steps.size() - 1;
    }
  }
  return sweep;
}

}  // namespace ardent
