#include "ardent/imaging/background.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/random.h"
#include "ardent/imaging/scene.h"

namespace ardent {
namespace {

TEST(Background, ConstantIsFoundUnderSources) {
  const Scene scene = make_scene(
      {.sources = 40, .width = 128, .height = 128, .noise = 0.01, .background = 50, .seed = 2});
  const Background background = estimate_background(scene.image, BackgroundKind::constant);
  EXPECT_NEAR(background.at(1, 1), 50, 0.03);
  EXPECT_EQ(background.at(1, 1), background.at(128, 77));
  EXPECT_EQ(estimate_background(scene.image, BackgroundKind::none).at(5, 5), 0);
}

TEST(Background, MapFollowsASlope) {
  Image image = blank_image(200, 150);
  Random random(1);
  for (Index y = 1; y <= 150; ++y) {
    for (Index x = 1; x <= 200; ++x) {
      image.at(x, y) = 10 + 0.05 * static_cast<double>(x) - 0.02 * static_cast<double>(y) +
                       0.1 * random.normal();
    }
  }
  const Background background = estimate_background(image, BackgroundKind::map, 25);
  for (const Index x : {30, 100, 170}) {
    for (const Index y : {30, 75, 120}) {
      EXPECT_NEAR(background.at(x, y),
                  10 + 0.05 * static_cast<double>(x) - 0.02 * static_cast<double>(y), 0.05);
    }
  }
}

TEST(Background, MapGoesOnAlongASlopeToTheBorder) {
  Image image = blank_image(128, 128);
  for (Index y = 1; y <= 128; ++y) {
    for (Index x = 1; x <= 128; ++x) image.at(x, y) = static_cast<double>(x);
  }
  const Background background = estimate_background(image, BackgroundKind::map, 64);
  EXPECT_NEAR(background.at(1, 5), 1, 1e-9);
  EXPECT_NEAR(background.at(128, 128), 128, 1e-9);
}

TEST(Background, CellWithoutAnyKnownPixelTakesTheConstant) {
  Image image = blank_image(60, 60);
  for (double& value : image.pixels) value = 3;
  for (Index y = 1; y <= 30; ++y) {
    for (Index x = 1; x <= 30; ++x) image.at(x, y) = std::nan("");
  }
  const Background background = estimate_background(image, BackgroundKind::map, 30);
  EXPECT_EQ(background.at(2, 2), 3);
}

TEST(Noise, VarianceIsFoundUnderSourcesAndSlopes) {
  const Scene scene = make_scene(
      {.sources = 300, .width = 256, .height = 256, .noise = 0.04, .background = 7, .seed = 5});
  EXPECT_NEAR(estimate_noise_variance(scene.image), 0.04, 0.002);
  EXPECT_EQ(estimate_noise_variance(blank_image(2, 2)), 0);
}

TEST(Noise, VarianceOfAStripIsFoundAlongIt) {
  Random random(3);
  for (const auto& [width, height] : {std::pair<Index, Index>{2, 4000}, {4000, 1}}) {
    Image strip = blank_image(width, height);
    for (double& value : strip.pixels) value = 5 + 0.2 * random.normal();
    EXPECT_NEAR(estimate_noise_variance(strip), 0.04, 0.004);
  }
}

}  // namespace
}  // namespace ardent
