// An image being searched for sources: its tiles, and what is known of its sky so far.
//
//   estimate the sky ⇄ code;  code → refine → judge → estimate the sky again
//
// Under many sources the first background is too high: it is estimated again from what their codes
// leave, which needs no fit. How well the PSF is known, which pixels are bad and how large the
// noise is on the scale of a source shows in what the refined sources leave: with the background
// they are estimated again from that, and the image is searched once more until they settle.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "ardent/base/progress.h"
#include "ardent/imaging/locate_options.h"
#include "ardent/imaging/pixel_noise.h"
#include "ardent/imaging/pixels.h"
#include "ardent/imaging/tiling.h"

namespace ardent {

class SourceSearch {
 public:
  SourceSearch(Image image, const LocateOptions& options, const ProgressCallback& progress);
  SourceSearch(const SourceSearch&) = delete;
  SourceSearch& operator=(const SourceSearch&) = delete;

  /// Background, noise and bad pixels of an image whose sources are not known.
  void estimate_sky();
  /// One width for all where a sample of them agrees (shared_width.h); do they?
  bool settle_width();
  /// Under many sources that background is too high: it is estimated again from what their codes
  /// leave, which needs no fit.
  void settle_background();
  /// Code, refine and judge, tile by tile (tile.h). The result has no image of the background.
  LocateResult find_sources();
  LocateResult find_sources(double lambda);
  /// Background, profile error, bad pixels and the noise of each width from what the sources leave;
  /// true: none changed.
  bool estimate_again(const LocateResult& result);

  bool sky_is_known() const {
    return options_.background == BackgroundKind::none || !options_.tile.refine;
  }
  double largest_lambda() const { return tiling_.largest_lambda(sky_free()); }
  /// The image without its background.
  Pixels sky_free() const { return minus(image_.pixels(), background_); }
  const Background& searched_background() const {
    return searched_background_;
  }                                                   // of the last pass
  const PixelNoise& noise() const { return noise_; }  // of the last pass
  Index parameters_each() const {
    return std::ssize(fitted_parameters(tile_.fit, image_.pixels().is_stack()));
  }

 private:
  Background background_of(const Image& light);
  TileOptions with_saturation(TileOptions tile) const;
  LocateResult find_sources(const TileOptions& tile, const std::string& task);
  bool noise_is_unchanged(const LocateResult& result);
  bool width_noise_is_unchanged(const LocateResult& result);
  PixelNoise noise_of(const Pixels& clear) const;
  Pixels without_photons(const Pixels& clear) const;
  bool reject_sharp(const Pixels& clear, const Image* model);
  ProgressCallback progress_of(const std::string& task) const;

  StoredImage image_;
  const LocateOptions& given_;
  LocateOptions options_;  // with the shared width, and a map where the sky is uneven
  const ProgressCallback& progress_;
  Tiling tiling_;
  TileOptions tile_;
  Background background_, searched_background_;
  PixelNoise noise_;
  Image light_;  // of the sources found so far, where there is a gain
  double profile_error_ = 0;
  std::vector<WidthNoise> width_noise_;
  double sharpest_ = 0;  // 0: bad pixels are kept
  std::vector<std::size_t> bad_;
  Index masked_ = 0;
  Index passes_ = 0;
};

}  // namespace ardent
