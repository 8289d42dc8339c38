// Point sources in images that are none: constant, missing, huge, tiny, of one pixel.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "abuse/abuse_run.h"
#include "abuse/nasty_problem.h"
#include "ardent/imaging/image.h"
#include "ardent/imaging/locate.h"

namespace ardent {
namespace {

constexpr std::array kImageKinds{"noise",  "constant", "zero",  "spike",   "source",   "1e300",
                                 "1e-300", "1e30",     "mixed", "missing", "negative", "stripes"};

Image nasty_image(Random& random, std::string& story) {
  const std::array<Index, 5> sides{1, 2, 5, 9, 14};
  const bool stack = random.below(8) == 0;
  Image image = blank_image(abuse::pick(random, sides), abuse::pick(random, sides), stack ? 3 : 1);
  const std::string kind = abuse::pick(random, kImageKinds);
  story += fmt::format("image {}x{}x{} {}", image.width, image.height, image.depth, kind);
  for (double& pixel : image.pixels) {
    const double noise = random.normal();
    pixel = kind == "constant" ? 7 : kind == "zero" ? 0 : 100 + noise;
    if (kind[0] == '1') pixel = std::stod(kind) * noise;
    if (kind == "mixed") pixel = noise * std::pow(10.0, random.uniform(-300, 300));
    if (kind == "negative") pixel = -1e6 + noise;
    if (kind == "missing" && random.below(2) == 0) pixel = std::numeric_limits<double>::quiet_NaN();
  }
  const auto middle = static_cast<std::size_t>(image.size() / 2);
  if (kind == "spike") image.pixels[middle] = random.below(2) == 0 ? 1e12 : 1e6;
  if (kind == "stripes") {
    for (std::size_t i = 0; i < image.pixels.size(); i += 2) image.pixels[i] = -1e9;
  }
  if (kind == "source") image.pixels[middle] += 300;
  if (random.below(4) == 0) image.pixels[0] = std::numeric_limits<double>::quiet_NaN();
  return image;
}

LocateOptions nasty_locate_options(Random& random) {
  LocateOptions options;
  const std::array<std::pair<double, double>, 4> widths{
      {{1.0, 3.0}, {1e-3, 1e-3}, {0.5, 50.0}, {50.0, 50.0}}};
  std::tie(options.sigma_low, options.sigma_high) =
      widths[random.below(2) == 0 ? 0 : random.below(4)];
  if (random.below(4) == 0)
    options.noise = abuse::pick(random, std::array{1e-200, 1e-12, 1.0, 1e200});
  if (random.below(4) == 0)
    options.gain = abuse::pick(random, std::array{1e-100, 1e-20, 1.0, 1e20});
  const std::array backgrounds{BackgroundKind::constant, BackgroundKind::none, BackgroundKind::map};
  options.background = abuse::pick(random, backgrounds);
  if (random.below(4) == 0) options.saturation = 101;
  options.tile.nonnegative = random.below(4) != 0;
  return options;
}

void expect_proper_sources(const LocateResult& found, const std::string& story) {
  for (const Detection& each : found.detections) {
    for (const double value : {each.source.x, each.source.y, each.source.sigma, each.source.flux,
                               each.flux_sd, each.snr}) {
      EXPECT_TRUE(std::isfinite(value)) << story;
    }
    EXPECT_TRUE(each.probability >= 0 && each.probability <= 1) << story;
  }
  for (const double pixel : found.model.pixels) EXPECT_TRUE(std::isfinite(pixel)) << story;
  for (const double pixel : found.background.pixels) EXPECT_TRUE(std::isfinite(pixel)) << story;
  EXPECT_TRUE(std::isfinite(found.noise_variance) && found.noise_variance >= 0) << story;
  EXPECT_TRUE(std::isfinite(found.profile_error)) << story;
}

TEST(ImagingAbuse, SourcesAreFiniteOrTheImageIsRefused) {
  abuse::run_abuse("locate", 80, [&](std::uint64_t seed, std::string& story) {
    Random random(seed, 4);
    story = fmt::format("seed {}: ", seed);
    const Image image = nasty_image(random, story);
    const LocateOptions options = nasty_locate_options(random);
    story += fmt::format(", sigma {} to {}, noise {:g}, gain {:g}, background {}",
                         options.sigma_low, options.sigma_high, options.noise, options.gain,
                         static_cast<int>(options.background));
    expect_proper_sources(locate(image, options, abuse::patience()), story);
  });
}

}  // namespace
}  // namespace ardent
