#include "ardent/imaging/psf_sky.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/imaging/background.h"
#include "ardent/imaging/median.h"

namespace ardent {
namespace {

constexpr double kLeastPart = 0.01;     // of the light: less is not worth a word
constexpr double kWingsInDoubt = 0.05;  // of the light: by which the sky is not known
constexpr double kDarkRim = 0.1;        // of the light: that a rim without a sky may hold

constexpr Index kFrames = 5;  // pixels of three frames
/// A frame of pixels, as far from the border everywhere.
struct Frame {
  double level = 0;  // median
  double error = 0;  // of it
};

Frame frame(const Image& image, Index within) {
  std::vector<double> values;
  const auto to_border = [](Index at, Index pixels) { return std::min(at - 1, pixels - at); };
  for (Index z = 1; z <= image.depth; ++z) {
    const Index along = image.is_stack() ? to_border(z, image.depth) : image.width;
    for (Index y = 1; y <= image.height; ++y) {
      for (Index x = 1; x <= image.width; ++x) {
        const Index across = std::min(to_border(x, image.width), to_border(y, image.height));
        if (std::min(across, along) == within) values.push_back(image.at(x, y, z));
      }
    }
  }
  Frame result;
  result.level = median(values);
  const double sd = deviation_about(values, result.level);
  constexpr double kMedianError = 1.2533;  // √(π/2): of a normal sample's median over its mean's
  result.error = kMedianError * sd / std::sqrt(static_cast<double>(values.size()));
  return result;
}

bool has_frames(const Image& image) {
  return std::min(image.width, image.height) >= kFrames &&
         (!image.is_stack() || image.depth >= kFrames);
}

/// How much of the rim's level may be the source's own wings.
double wings_at_rim(const Image& image, const Frame& rim) {
  if (!has_frames(image)) return std::max(0.0, rim.level);
  const Frame second = frame(image, 1), third = frame(image, 2);
  const double fall = second.level - rim.level, before = third.level - second.level;
  if (fall <= 3 * elementary::length(rim.error, second.error)) return 0;
  // A fall that does not slow down may go on for ever: all that is there may be wings.
  return before > fall ? fall * fall / (before - fall) : INFINITY;
}

}  // namespace

PsfSky estimate_psf_sky(const Image& psf) {
  const auto refuse = [&](std::string_view why) {
    throw InputError(fmt::format("the PSF of {} {}", size_text(psf), why));
  };
  const Frame rim = frame(psf, 0);
  const double peak = *std::max_element(psf.pixels.begin(), psf.pixels.end());
  double light = 0;
  for (const double value : psf.pixels) light += value - rim.level;
  constexpr double kSeen = 5;  // standard deviations
  // In a smaller image the source itself would pass for noise.
  const double sd = has_frames(psf) ? std::sqrt(estimate_noise_variance(psf)) : 0;
  if (!(light > 0) || !(peak - rim.level > kSeen * sd)) {
    refuse(fmt::format("shows no point source: its rim ({:.6g}) is as bright as its middle",
                       rim.level));
  }
  const double per_level = static_cast<double>(psf.size()) / light;
  const double wings = wings_at_rim(psf, rim), level = rim.level - wings;
  if (level <= 0 && rim.level >= 0) {
    // It may all be wings. Little of them is no reason to refuse an image without a sky.
    if (rim.level * per_level <= kDarkRim) return {};
  } else if (wings * per_level <= kWingsInDoubt) {
    const PsfSky sky{level, level * per_level};
    return std::abs(sky.part) > kLeastPart ? sky : PsfSky{};
  }
  refuse(fmt::format(
      "has no wings that end within it: its rim is at {:.2g} of the peak and still falls, so that "
      "its sky cannot be determined; give a larger image of the source, its sky taken off",
      rim.level / peak));
  return {};
}

std::vector<std::string> sky_warnings(const PsfSky& sky) {
  if (sky.level == 0) return {};
  return {
      fmt::format("a sky of {:.4g} was taken off every pixel of the PSF: it held {:.3g} times "
                  "as much light as the source",
                  sky.level, sky.part)};
}

}  // namespace ardent
