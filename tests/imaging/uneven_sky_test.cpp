#include "ardent/imaging/uneven_sky.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ardent/imaging/locate.h"
#include "imaging/planted_sky.h"

namespace ardent {
namespace {

void add_slope(Image& image, double across) {
  for (Index y = 1; y <= image.height; ++y) {
    for (Index x = 1; x <= image.width; ++x) {
      image.at(x, y) += across * static_cast<double>(x) / static_cast<double>(image.width);
    }
  }
}

bool is_constant(const Image& image) {
  const auto [low, high] = std::ranges::minmax(image.pixels);
  return low == high;
}

TEST(UnevenSky, EvenSkiesAreEven) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_FALSE(is_uneven(white_noise(200, 150, seed), 32)) << seed;
    EXPECT_FALSE(is_uneven(resampled_noise(200, 150, seed), 32)) << seed;
  }
  EXPECT_FALSE(is_uneven(blank_image(200, 150), 32));
  EXPECT_FALSE(is_uneven(white_noise(100, 100, 1), 64));  // a single cell
}

TEST(UnevenSky, ASlopeOfHalfTheNoiseIsUneven) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Image image = resampled_noise(256, 256, seed);
    add_slope(image, 0.5);
    EXPECT_TRUE(is_uneven(image, 64)) << seed;
    for (Index x = 1; x <= 256; ++x) image.at(x, 100) = std::nan("");  // a dead row
    EXPECT_TRUE(is_uneven(image, 64)) << seed;
  }
}

TEST(UnevenSky, AStackIsCutAlongItsPlanes) {
  Image stack = white_noise(24, 24, 5, 48);
  EXPECT_FALSE(is_uneven(stack, 16));
  for (Index z = 1; z <= 48; ++z) {
    for (Index y = 1; y <= 24; ++y) {
      for (Index x = 1; x <= 24; ++x) stack.at(x, y, z) += static_cast<double>(z) / 48;
    }
  }
  EXPECT_TRUE(is_uneven(stack, 16));
}

TEST(UnevenSky, LocateTakesAMapWhereItIsUneven) {
  Image image = white_noise(160, 128, 11);
  const LocateOptions known{.sigma_low = 1.5, .sigma_high = 1.5};
  EXPECT_TRUE(is_constant(locate(image, known).background));
  add_slope(image, 2);
  const LocateResult found = locate(image, known);
  EXPECT_FALSE(is_constant(found.background));
  EXPECT_LE(found.detections.size(), 1u);
  LocateOptions before = known;
  before.background = BackgroundKind::constant;
  EXPECT_TRUE(is_constant(locate(image, before).background));
}

}  // namespace
}  // namespace ardent
