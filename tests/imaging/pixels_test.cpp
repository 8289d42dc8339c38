// Large images: parts of them, and results that do not depend on how they are cut.
#include "ardent/imaging/pixels.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/random.h"
#include "ardent/imaging/background.h"
#include "ardent/imaging/bad_pixels.h"
#include "ardent/imaging/locate.h"
#include "ardent/imaging/median.h"
#include "ardent/imaging/scene.h"

namespace ardent {
namespace {

Image noise_of(Index width, Index height, Index depth = 1) {
  Image image = blank_image(width, height, depth);
  Random random(7);
  for (double& value : image.pixels) value = random.normal();
  return image;
}

TEST(StoredImage, HasTheValuesThatItWasGiven) {
  Image image = noise_of(7, 5, 3);
  image.pixels[8] = std::nan("");
  image.pixels[9] = INFINITY;
  Image single = image;
  for (double& value : single.pixels) value = static_cast<double>(static_cast<float>(value));
  for (const Image& given : {image, single}) {
    StoredImage stored(given);
    stored.set(20, -4);
    Image expected = given;
    expected.pixels[20] = -4;
    const Box box{2, 1, 1, 5, 4, 3};
    const Image part = stored.pixels().cut(box), by_hand = cut(expected, box);
    ASSERT_EQ(part.pixels.size(), by_hand.pixels.size());
    for (std::size_t p = 0; p < part.pixels.size(); ++p) {
      if (!std::isnan(by_hand.pixels[p])) {
        EXPECT_EQ(part.pixels[p], by_hand.pixels[p]) << p;
      }
    }
    EXPECT_TRUE(std::isnan(stored.cut({2, 2, 1, 1, 1, 1}).pixels[0]));
  }
}

TEST(Bands, CoverAnImageOnce) {
  const Image image = noise_of(400, 300, 2);
  EXPECT_GT(bands(image).size(), 2u);
  std::vector<double> seen;
  visit_bands(image, [&](std::size_t first, std::span<const double> some) {
    ASSERT_EQ(first, seen.size());
    seen.insert(seen.end(), some.begin(), some.end());
  });
  EXPECT_EQ(seen, image.pixels);
}

TEST(Bands, DoNotShowInNoiseAndBadPixels) {
  Image image = noise_of(600, 300);
  std::vector<double> sizes;
  for (Index y = 1; y <= 298; ++y) {
    for (Index x = 1; x <= 598; ++x) {
      const auto second = [&](Index row) {
        return image.at(x, row) - 2 * image.at(x + 1, row) + image.at(x + 2, row);
      };
      sizes.push_back(std::abs(second(y) - 2 * second(y + 1) + second(y + 2)) / 6);
    }
  }
  const double sd = kNormalDeviation * median(sizes);
  EXPECT_NEAR(estimate_noise_variance(image), sd * sd, 1e-12);
  const Index rows = bands(image, 16).front().box.height;
  ASSERT_LT(rows, 300);
  std::vector<std::size_t> hot;
  for (const Index y : {rows - 3, rows, rows + 4}) {
    image.at(50, y) = 100;
    hot.push_back(image.place(50, y));
  }
  EXPECT_EQ(find_bad_pixels(image, {1}, sharpest_ratio(gaussian_psf(), 1.5),
                            BadPixelSide::sources_are_bright),
            hot);
}

TEST(Locate, TheCatalogueAloneIsTheSame) {
  const Scene scene = make_scene(
      {.sources = 12, .width = 90, .height = 80, .noise = 0.0004, .background = 3, .seed = 4});
  Image image = scene.image;  // a sky that slopes
  for (Index y = 1; y <= image.height; ++y) {
    for (Index x = 1; x <= image.width; ++x) image.at(x, y) += 0.01 * static_cast<double>(x);
  }
  LocateOptions options;
  options.sigma_low = options.sigma_high = 1.5;
  options.background = BackgroundKind::map;
  options.background_cell = 32;
  const LocateResult whole = locate(image, options), alone = locate_catalogue(image, options);
  EXPECT_EQ(whole.model.pixels.size(), image.pixels.size());
  EXPECT_EQ(whole.background.pixels.size(), image.pixels.size());
  EXPECT_TRUE(alone.model.pixels.empty());
  ASSERT_EQ(whole.detections.size(), alone.detections.size());
  ASSERT_GT(alone.detections.size(), 8u);
  for (std::size_t k = 0; k < whole.detections.size(); ++k) {
    EXPECT_EQ(whole.detections[k].source.x, alone.detections[k].source.x);
    EXPECT_EQ(whole.detections[k].source.flux, alone.detections[k].source.flux);
    EXPECT_EQ(whole.detections[k].flux_sd, alone.detections[k].flux_sd);
  }
}

}  // namespace
}  // namespace ardent
