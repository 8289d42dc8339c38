// Point sources in images: finding them, and images without noise.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ardent/image.h"
#include "ardent/options.h"
#include "ardent/progress.h"

namespace ardent::ARDENT_V0::imaging {

/// From … to.
struct Range {
  double low = 0;
  double high = 0;
};

/// See options.h.
struct LocateOptions {
  std::optional<Range> sigma = {};      // width of the sources, in pixels
  std::optional<Range> sigma_z = {};    // of a stack, in planes
  std::optional<Image> psf = {};        // the image of a point source, instead of Gaussians
  std::optional<Image> error_map = {};  // standard deviation of each pixel
  std::optional<Image> mask = {};       // where it is not 0 a pixel is missing
  std::optional<Background> background = {};
  std::optional<double> noise = {};        // variance of a pixel
  std::optional<double> gain = {};         // photons per unit of the image
  std::optional<double> saturation = {};   // pixels from this value on are saturated
  std::optional<double> probability = {};  // of presence, from which on sources are kept
  OptionTexts more = {};
};

/// Sources of an image or a stack, the brightest first, and the model that they make.
LocateResult locate(const Image& image, const LocateOptions& options = {},
                    const ProgressCallback& progress = {});

/// The model of the sources on the background: the image without its noise.
Image denoise(const Image& image, const LocateOptions& options = {},
              const ProgressCallback& progress = {});

/// An image of zeros.
Image blank_image(Index width, Index height, Index depth = 1);
/// Adds the light of a source to the pixels.
void add_source(const Source& source, Image& image);

/// See options.h.
struct SceneOptions {
  std::optional<Index> sources = {};
  Index width = 28, height = 28, depth = 1;
  std::optional<Range> sigma = {};
  std::optional<double> snr = {};  // decibels, over the whole image
  std::optional<std::uint64_t> seed = {};
  OptionTexts more = {};
};

struct Scene {
  Image image;
  Image clean;  // neither noise nor background
  std::vector<Source> truth;
  double noise_variance = 0;
};

/// Simulated sources, whose truth is known.
Scene simulate(const SceneOptions& options = {});

/// FITS, PNG (grey) or NPY; an image or a stack.
Image read_image(const std::string& path);
/// By the ending of the name: .fits, .npy or .png.
void write_image(const Image& image, const std::string& path);

/// Found and true sources in pairs none of which is farther apart than `radius` pixels.
struct Matches {
  Index pairs = 0;
  double recall = 0, precision = 0, f1 = 0;
  double distance = 0;  // mean over pairs, in pixels
};
Matches match(std::span<const Source> found, std::span<const Source> truth, double radius);

}  // namespace ardent::ARDENT_V0::imaging
