#include "ardent/imaging/locate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/imaging/profile_error.h"
#include "ardent/imaging/saturation.h"
#include "ardent/imaging/tiling.h"

namespace ardent {
namespace {

constexpr int kPasses = 4;
constexpr double kSkyTolerance = 0.03;   // standard deviations of the noise
constexpr double kErrorTolerance = 0.2;  // of the profile error, or a hundredth of the light

Image minus(Image image, const Image& other) {
  for (std::size_t p = 0; p < image.pixels.size(); ++p) image.pixels[p] -= other.pixels[p];
  return image;
}

double largest_change(const Image& a, const Image& b) {
  double most = 0;
  for (std::size_t p = 0; p < a.pixels.size(); ++p) {
    most = std::max(most, std::abs(a.pixels[p] - b.pixels[p]));
  }
  return most;
}

double reach(const LocateOptions& options) {
  return options.psf ? options.psf->radius() : 3 * options.sigma_high;
}

TileDictionary dictionary_of(const LocateOptions& options, Index width, Index height) {
  const PsfGrid grid{width, height, options.sigma_low, options.sigma_high};
  if (options.psf) return psf_image_dictionary(*options.psf, grid);
  if (options.dictionary == DictionaryKind::grid) return grid_dictionary(grid);
  return sampled_dictionary(options.atoms, grid, options.dictionary == DictionaryKind::normal,
                            options.seed);
}

/// An image being searched: its tiles, and what is known of it so far.
class SourceSearch {
 public:
  SourceSearch(const Image& image, const LocateOptions& options, const ProgressCallback& progress)
      : image_(image),
        options_(options),
        progress_(progress),
        tiling_(checked(image), options.core, reach(options),
                [&](Index width, Index height) { return dictionary_of(options, width, height); }) {
    mark_saturated(image_, options.saturation);
    background_ = estimate_background(image_, options.background, options.background_cell);
    profile_error_ = std::max(0.0, options.profile_error);
    tile_ = options.tile;
    tile_.fit.sigma_low = options.sigma_low;
    tile_.fit.sigma_high = options.sigma_high;
    tile_.fit.nonnegative = options.tile.nonnegative;
    if (options.psf) tile_.fit.shape = options.psf.get();
  }

  LocateResult pass() { return pass(tile_.lambda); }

  LocateResult pass(double lambda) {
    const Image clear = sky_free();
    LocateResult result;
    result.background = background_;
    result.noise_variance = noise_of(clear);
    result.profile_error = profile_error_;
    TileOptions tile = tile_;
    tile.lambda = lambda;
    tile.profile_error = profile_error_;
    // Where the background is a map, its highest place makes the least of this.
    tile.saturation = std::isfinite(options_.saturation)
                          ? options_.saturation - *std::max_element(background_.pixels.begin(),
                                                                    background_.pixels.end())
                          : 0;
    result.model = blank_image(image_.width, image_.height);
    result.tiles = tiling_.count();
    result.detections = joined_on_patches(
        image_, tiling_.run(clear, result.noise_variance, tile, result.model, progress_));
    return result;
  }

  /// Background and profile error from what the sources leave; true: neither changed.
  bool update_background(const LocateResult& result) {
    Image background = estimate_background(minus(image_, result.model), options_.background,
                                           options_.background_cell);
    double error = profile_error_;
    if (options_.profile_error < 0) {
      error = estimate_profile_error(minus(minus(image_, background), result.model), result.model,
                                     result.noise_variance);
    }
    const bool unchanged =
        largest_change(background, background_) <=
            kSkyTolerance * std::sqrt(result.noise_variance) &&
        std::abs(error - profile_error_) <= std::max(0.01, kErrorTolerance * error);
    background_ = std::move(background);
    profile_error_ = error;
    return unchanged;
  }

  Image sky_free() const { return minus(image_, background_); }
  double largest_lambda() const { return tiling_.largest_lambda(sky_free()); }
  const Image& image() const { return image_; }
  Index parameters_each() const {
    return options_.psf || options_.sigma_high == options_.sigma_low ? 3 : 4;
  }

 private:
  static const Image& checked(const Image& image) {
    if (known_pixels(image) > 0) return image;
    throw InputError(
        fmt::format("none of the {} × {} pixels is a number", image.width, image.height));
  }

  double noise_of(const Image& clear) const {
    const double noise = options_.noise > 0 ? options_.noise : estimate_noise_variance(clear);
    if (noise > 0) return noise;
    throw InputError(fmt::format(
        "the noise of an image of {} × {} pixels cannot be told from it (it is too small, or its "
        "pixels are all alike): give its variance as noise",
        image_.width, image_.height));
  }

  Image image_;
  const LocateOptions& options_;
  const ProgressCallback& progress_;
  Tiling tiling_;
  TileOptions tile_;
  Image background_;
  double profile_error_ = 0;
};

/// Passes over the image until background and profile error stop changing.
LocateResult search_to_convergence(SourceSearch& search) {
  LocateResult result = search.pass();
  for (int pass = 1; pass < kPasses && !search.update_background(result); ++pass)
    result = search.pass();
  return result;
}

double bic(const SourceSearch& search, const LocateResult& found) {
  double chi_square = 0;
  Index known = 0;
  for (std::size_t p = 0; p < found.model.pixels.size(); ++p) {
    const double left =
        search.image().pixels[p] - found.background.pixels[p] - found.model.pixels[p];
    if (!std::isfinite(left)) continue;
    const double error = found.profile_error * found.model.pixels[p];
    chi_square += left * left / (found.noise_variance + error * error);
    ++known;
  }
  const auto parameters =
      static_cast<double>(search.parameters_each()) * static_cast<double>(found.detections.size());
  return chi_square + parameters * elementary::log(static_cast<double>(known));
}

}  // namespace

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
    SweepStep step{lambda, 0, search.pass(lambda)};
    step.bic = bic(search, step.found);
    sweep.steps.push_back(std::move(step));
    if (sweep.steps.back().bic < sweep.steps[sweep.chosen].bic) {
      sweep.chosen = sweep.steps.size() - 1;
    }
  }
  return sweep;
}

}  // namespace ardent
