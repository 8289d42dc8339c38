#include "ardent/imaging/width_noise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ardent/imaging/locate.h"
#include "ardent/imaging/scene.h"
#include "ardent/imaging/source_metrics.h"
#include "imaging/planted_sky.h"
#include "imaging/sources_of.h"

namespace ardent {
namespace {

std::vector<WidthNoise> measured(const Image& noise, const PsfFitOptions& widths) {
  return measure_width_noise(noise, blank_like(noise), {}, widths);
}

TEST(WidthNoise, IsExactlyOneForIndependentPixels) {
  const PsfFitOptions widths{.sigma_low = 1, .sigma_high = 3};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_TRUE(measured(white_noise(120, 140, seed), widths).empty()) << seed;
  }
  EXPECT_TRUE(measured(white_noise(28, 28, 1), widths).empty());
  EXPECT_TRUE(measured(white_noise(30, 30, 1, 20), widths).empty());
}

TEST(WidthNoise, OfResampledNoiseIsThatOfItsCovariance) {
  const Image noise = resampled_noise(400, 400, 3);
  const auto widths = measured(noise, {.sigma_low = 1, .sigma_high = 3});
  ASSERT_EQ(widths.size(), 4u);
  EXPECT_EQ(widths.front().sigma, 1);
  EXPECT_DOUBLE_EQ(widths.back().sigma, 3);
  for (const WidthNoise& one : widths) {
    // Σ φ_x φ_x' c(x − x') over Σ φ² along one axis, c the weights correlated with themselves.
    double sum = 0, squares = 0;
    for (Index x = -20; x <= 20; ++x) {
      for (Index lag = -2; lag <= 2; ++lag) {
        double c = 0;
        for (Index k = -1; k <= 1; ++k) c += resampling(k) * resampling(k + lag) / 0.375;
        sum += pixel_share(static_cast<double>(x), one.sigma) *
               pixel_share(static_cast<double>(x + lag), one.sigma) * c;
      }
      squares += std::pow(pixel_share(static_cast<double>(x), one.sigma), 2);
    }
    EXPECT_NEAR(one.ratio, sum / squares, 0.1 * sum / squares) << one.sigma;  // its root, twice
  }
}

TEST(WidthNoise, MissingPixelsAndPixelsOfSureSourcesDoNotCount) {
  Image noise = resampled_noise(300, 300, 5), sure = blank_like(noise);
  const auto clean = measured(noise, {.sigma_low = 1.5, .sigma_high = 1.5});
  for (Index y = 1; y <= 300; ++y) {
    for (Index x = 1; x <= 60; ++x) noise.at(x, y) = x <= 30 ? std::nan("") : 1000;
    for (Index x = 31; x <= 60; ++x) sure.at(x, y) = 1000;
  }
  const auto without = measure_width_noise(noise, sure, {}, {.sigma_low = 1.5, .sigma_high = 1.5});
  ASSERT_EQ(without.size(), 1u);
  EXPECT_NEAR(without[0].ratio, clean[0].ratio, 0.1);
}

TEST(WidthNoise, BetweenWidthsItIsInterpolated) {
  const std::vector<WidthNoise> widths{{1, 2, 1.2}, {1, 4, 1.4}, {3, 2, 2.0}, {3, 4, 2.4}};
  const auto root = [&](double sigma, double sigma_z) {
    return std::sqrt(variance_ratio(widths, {.sigma = sigma, .sigma_z = sigma_z}));
  };
  EXPECT_DOUBLE_EQ(root(1, 2), 1.2);
  EXPECT_DOUBLE_EQ(root(0.5, 1), 1.2);
  EXPECT_DOUBLE_EQ(root(9, 9), 2.4);
  EXPECT_DOUBLE_EQ(root(2, 2), 1.6);
  EXPECT_DOUBLE_EQ(root(3, 3), 2.2);
  EXPECT_EQ(variance_ratio({}, {}), 1);
}

TEST(WidthNoise, FaintSourcesOfACrowdAreNoNoise) {
  // Half of them are too faint to be sure: their light is on one side of the noise alone.
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const Scene scene = make_scene({.sources = 150,
                                    .width = 96,
                                    .height = 96,
                                    .sigma_low = 1.5,
                                    .sigma_high = 1.5,
                                    .noise = 0.01,
                                    .background = 3,
                                    .seed = seed});
    const LocateOptions options{.sigma_low = 1.5, .sigma_high = 1.5};
    const LocateResult found = locate(scene.image, options);
    EXPECT_TRUE(found.width_noise.empty()) << seed;
    LocateOptions before = options;
    before.background = BackgroundKind::constant;
    before.noise_scale = NoiseScale::pixel;
    EXPECT_EQ(found.model.pixels, locate(scene.image, before).model.pixels) << seed;
  }
}

/// Stars on a grid with jitter, of 9 to 25 times the noise of their flux if pixels were
/// independent.
std::vector<Source> planted_stars(Image& image, std::uint64_t seed) {
  Random random(seed);
  std::vector<Source> stars;
  for (double y = 12; y < static_cast<double>(image.height) - 8; y += 18) {
    for (double x = 12; x < static_cast<double>(image.width) - 8; x += 18) {
      stars.push_back(
          {x + random.uniform(-2, 2), y + random.uniform(-2, 2), 1.5, random.uniform(95, 265)});
      add_source(stars.back(), image);
    }
  }
  return stars;
}

TEST(WidthNoise, InSummedFramesStarsAreFoundAndLumpsAreNot) {
  const LocateOptions known{.sigma_low = 1.5, .sigma_high = 1.5};
  LocateOptions before = known;
  before.noise_scale = NoiseScale::pixel;
  Index lumps = 0, lumps_before = 0, stars = 0, stars_found = 0;
  double squares = 0;
  for (std::uint64_t seed = 101; seed <= 102; ++seed) {
    Image image = summed_noise(128, 128, seed);
    const std::vector<Source> truth = planted_stars(image, seed);
    const auto met = [&](const LocateResult& found) {
      return match_sources(sources_of(found), truth, 2).pairs;
    };
    const LocateResult found = locate(image, known);
    EXPECT_FALSE(found.width_noise.empty());
    lumps += std::ssize(found.detections) - met(found);
    const LocateResult plain = locate(image, before);
    EXPECT_TRUE(plain.width_noise.empty());
    lumps_before += std::ssize(plain.detections) - met(plain);
    stars += std::ssize(truth);
    stars_found += met(found);
    for (const Source& star : truth) {
      for (const Detection& one : found.detections) {
        if (distance(one.source, star) > 2) continue;
        squares += std::pow((one.source.flux - star.flux) / one.flux_sd, 2);
      }
    }
  }
  EXPECT_GT(lumps_before, 20);
  EXPECT_LE(lumps, 2);
  EXPECT_EQ(stars_found, stars);
  // Of fluxes in units of their errors: one sigma of 72 is 0.17; for independent pixels it is 3.
  EXPECT_NEAR(squares / static_cast<double>(stars), 1, 0.6);
}

TEST(WidthNoise, WorksForStacks) {
  Image stack = white_noise(40, 40, 7, 32);
  for (Index z = 1; z <= 32; ++z) {  // alike in pairs of planes: correlated along z
    for (Index y = 1; y <= 40; ++y) {
      for (Index x = 1; x <= 40; ++x) {
        if (z % 2 == 0) stack.at(x, y, z) = stack.at(x, y, z - 1);
      }
    }
  }
  const auto widths = measured(stack, {.sigma_low = 1.2, .sigma_high = 1.2});
  ASSERT_EQ(widths.size(), 1u);
  EXPECT_EQ(widths[0].sigma_z, 2);
  EXPECT_NEAR(widths[0].ratio, std::sqrt(2), 0.25);
}

}  // namespace
}  // namespace ardent
