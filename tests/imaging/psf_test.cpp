#include "ardent/imaging/psf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ardent/imaging/scene.h"

namespace ardent {
namespace {

/// Simpson's rule over the pixel.
double integrated(double u, double sigma) {
  constexpr int kPieces = 4000;
  double sum = 0;
  for (int k = 0; k <= kPieces; ++k) {
    const double at = u - 0.5 + static_cast<double>(k) / kPieces;
    const double density =
        std::exp(-at * at / (2 * sigma * sigma)) / (sigma * std::sqrt(2 * std::numbers::pi));
    sum += density * (k == 0 || k == kPieces ? 1 : k % 2 == 1 ? 4 : 2);
  }
  return sum / (3.0 * kPieces);
}

TEST(Psf, PixelShareIsTheIntegralOfTheGaussianOverThePixel) {
  for (const double sigma : {0.5, 1.0, 2.5}) {
    for (const double u : {-6.0, -0.7, 0.0, 0.3, 0.5, 2.0, 9.0}) {
      const double expected = integrated(u, sigma);
      EXPECT_NEAR(pixel_share(u, sigma), expected, 1e-6 * expected) << u << " " << sigma;
    }
  }
}

TEST(Psf, FluxIsTheSumOverPixelsOfASourceInside) {
  Image image = blank_image(40, 30);
  add_source({20.3, 14.6, 1.5, 7}, image);
  double sum = 0, x = 0, y = 0;
  for (Index row = 1; row <= 30; ++row) {
    for (Index column = 1; column <= 40; ++column) {
      sum += image.at(column, row);
      x += static_cast<double>(column) * image.at(column, row);
      y += static_cast<double>(row) * image.at(column, row);
    }
  }
  EXPECT_NEAR(sum, 7, 1e-9);
  EXPECT_NEAR(x / sum, 20.3, 1e-9);
  EXPECT_NEAR(y / sum, 14.6, 1e-9);
}

TEST(Psf, LengthIsThatOfTheImageOfOneSource) {
  Image image = blank_image(12, 9);
  add_source({2.2, 8.1, 2, 1}, image);
  double sum = 0;
  for (const double value : image.pixels) sum += value * value;
  EXPECT_NEAR(psf_length({2.2, 8.1, 2, 1}, image), std::sqrt(sum), 1e-14);
}

TEST(Psf, VoxelsSumToOne) {
  double sum = 0;
  for (int x = -12; x <= 12; ++x) {
    for (int y = -12; y <= 12; ++y) {
      for (int z = -20; z <= 20; ++z) {
        sum += pixel_share(x + 0.2, 1.5) * pixel_share(y, 1.5) * pixel_share(z - 0.4, 3);
      }
    }
  }
  EXPECT_NEAR(sum, 1, 1e-9);
}

TEST(Scene, HasTheNoiseAndTheAmplitudesAskedFor) {
  const Scene scene = make_scene({.sources = 30, .width = 200, .height = 150, .snr = 7, .seed = 3});
  double signal = 0, noise = 0;
  for (std::size_t k = 0; k < scene.image.pixels.size(); ++k) {
    signal += std::pow(scene.clean.pixels[k], 2);
    noise += std::pow(scene.image.pixels[k] - scene.clean.pixels[k], 2);
  }
  EXPECT_NEAR(10 * std::log10(signal / noise), 7, 0.1);  // 30,000 draws: 0.035 dB is one sigma
  ASSERT_EQ(scene.truth.size(), 30u);
  Image again = blank_image(200, 150);
  for (const Source& source : scene.truth) {
    add_source(source, again);
    const double amplitude = source.flux * psf_length(source, again);
    EXPECT_GE(amplitude, 0.5);
    EXPECT_LE(amplitude, 1.5);
    EXPECT_GE(source.x, 4);
    EXPECT_LE(source.y, 147);
  }
  EXPECT_EQ(again.pixels, scene.clean.pixels);
}

TEST(Scene, SameSeedSameBitsAndAnotherSeedAnotherScene) {
  EXPECT_EQ(make_scene({.seed = 5}).image.pixels, make_scene({.seed = 5}).image.pixels);
  EXPECT_NE(make_scene({.seed = 5}).image.pixels, make_scene({.seed = 6}).image.pixels);
}

}  // namespace
}  // namespace ardent
