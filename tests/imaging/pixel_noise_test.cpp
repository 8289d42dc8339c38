#include "ardent/imaging/pixel_noise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/random.h"
#include "ardent/imaging/locate.h"
#include "ardent/imaging/pixel_mask.h"

namespace ardent {
namespace {

using testing::HasSubstr;

Image filled(double value) {
  Image image = blank_image(4, 3);
  for (double& pixel : image.pixels) pixel = value;
  return image;
}

TEST(PixelNoise, AddsPhotonsAndProfileError) {
  const PixelNoise noise{.variance = 2, .gain = 4, .profile_error = 0.1};
  EXPECT_DOUBLE_EQ(noise.at(0, 20), 2 + 20.0 / 4 + 4);
  EXPECT_DOUBLE_EQ(noise.at(0, -20), 2 + 4);  // less than no light makes no noise
  EXPECT_DOUBLE_EQ(weights_of(filled(20), noise).pixels[5], 2.0 / 11);
  EXPECT_FALSE(noise.is_uniform());
  EXPECT_TRUE(PixelNoise{2}.is_uniform());
}

TEST(PixelNoise, IsWhatReadNoiseGainAndSkySay) {
  // 8 electrons of read noise and 100 units of sky at 2 electrons per unit: (4² + 50) units².
  const PixelNoise even = estimate_noise(filled(0), filled(100), {.gain = 2, .read_noise = 8});
  EXPECT_DOUBLE_EQ(even.variance, 66);
  EXPECT_TRUE(even.has_one_base());
  Image sky = filled(100);
  sky.pixels[0] = 300;
  const PixelNoise uneven = estimate_noise(filled(0), sky, {.gain = 2, .read_noise = 8});
  EXPECT_DOUBLE_EQ(uneven.variance, 66);
  EXPECT_DOUBLE_EQ(uneven.base_at(0), 166);
  const PixelNoise measured = estimate_noise(filled(0), sky, {.variance = 60, .gain = 2});
  EXPECT_DOUBLE_EQ(measured.base_at(0), 160);
  EXPECT_DOUBLE_EQ(measured.base_at(1), 60);
}

TEST(PixelNoise, IsTheErrorMapSquared) {
  Image errors = filled(3);
  errors.pixels[7] = 6;
  const PixelNoise noise = estimate_noise(filled(0), filled(0), {.error_map = &errors});
  EXPECT_DOUBLE_EQ(noise.variance, 9);
  EXPECT_DOUBLE_EQ(noise.base_at(7), 36);
}

TEST(PixelMask, LeavesOutWhatHasABitThatCounts) {
  Image mask = filled(0);
  mask.pixels[1] = 1;
  mask.pixels[2] = 4;
  mask.pixels[3] = 6;
  mask.pixels[4] = std::nan("");
  const auto left_out = [&](Index bits) {
    LocateOptions options;
    options.mask = std::make_shared<const Image>(mask);
    options.mask_bits = bits;
    Image image = filled(1);
    const Index count = leave_out_masked(image, options);
    EXPECT_EQ(count, image.size() - known_pixels(image));
    return count;
  };
  EXPECT_EQ(left_out(0), 4);
  EXPECT_EQ(left_out(1), 2);  // NaN always counts
  EXPECT_EQ(left_out(2), 2);
  EXPECT_EQ(left_out(5), 4);
  EXPECT_EQ(left_out(8), 1);
  LocateOptions errors;
  errors.error_map = std::make_shared<const Image>(mask);
  Image image = filled(1);
  EXPECT_EQ(leave_out_masked(image, errors), 9);  // all but those above 0
  errors.error_map = std::make_shared<const Image>(blank_image(3, 3));
  try {
    leave_out_masked(image, errors);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("error map has 3 × 3 pixels, and the image 4 × 3"));
  }
}

TEST(PixelMask, AWeightMapIsAnErrorMapOfInverseVariances) {
  Image weights = filled(0.25);
  weights.pixels[1] = 0;
  weights.pixels[2] = -1;
  weights.pixels[3] = std::nan("");
  LocateOptions options;
  options.weight_map = std::make_shared<const ErrorsOfWeights>(weights);
  EXPECT_EQ(options.errors()->pixels[0], 2);
  Image image = filled(1);
  EXPECT_EQ(leave_out_masked(image, options), 3);
  options.weight_map = std::make_shared<const ErrorsOfWeights>(blank_image(3, 3));
  try {
    leave_out_masked(image, options);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("weight map has 3 × 3 pixels"));
  }
}

TEST(PixelMask, NoSourceIsReportedWhereNothingWasSeen) {
  Image image = blank_image(60, 60);
  for (const double x : {12.0, 30.0, 48.0}) {
    for (const double y : {12.0, 48.0}) add_source({x, y, 1.5, 100}, image);
  }
  Random random(3);
  for (double& value : image.pixels) value += 5 + 0.3 * random.normal();
  auto mask = std::make_shared<Image>(blank_image(60, 60));
  for (Index y = 1; y <= 30; ++y) {
    for (Index x = 1; x <= 60; ++x) mask->at(x, y) = 16;
  }
  LocateOptions options{.sigma_low = 1.5, .sigma_high = 1.5, .mask = mask};
  const LocateResult found = locate(image, options);
  EXPECT_EQ(found.masked_pixels, 30 * 60);
  EXPECT_EQ(found.detections.size(), 3u);
  for (const Detection& detection : found.detections) EXPECT_GT(detection.source.y, 30);
  options.mask_bits = 1;
  EXPECT_EQ(locate(image, options).detections.size(), 6u);
}

}  // namespace
}  // namespace ardent
