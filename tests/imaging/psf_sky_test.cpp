#include "ardent/imaging/psf_sky.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/random.h"
#include "ardent/imaging/locate.h"
#include "ardent/imaging/psf_image.h"

namespace ardent {
namespace {

using testing::HasSubstr;

Image gaussian(Index size, double sigma) {
  Image image = blank_image(size, size);
  const double middle = 0.5 * static_cast<double>(size + 1);
  add_source({middle + 0.2, middle - 0.1, sigma, 1}, image);
  return image;
}

/// β = 2.5: wings as r⁻⁵.
Image moffat(Index size, double fwhm) {
  Image image = blank_image(size, size);
  const double middle = 0.5 * static_cast<double>(size + 1);
  const double alpha = 0.5 * fwhm / std::sqrt(std::pow(2.0, 1 / 2.5) - 1);
  for (Index y = 1; y <= size; ++y) {
    for (Index x = 1; x <= size; ++x) {
      const double r = std::hypot(static_cast<double>(x) - middle, static_cast<double>(y) - middle);
      image.at(x, y) = std::pow(1 + r * r / (alpha * alpha), -2.5);
    }
  }
  return image;
}

double peak(const Image& image) {
  return *std::max_element(image.pixels.begin(), image.pixels.end());
}

Image with_sky(Image image, double level) {
  for (double& value : image.pixels) value += level;
  return image;
}

std::string refusal(const Image& image) {
  try {
    const PsfImage psf(image);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(PsfSky, IsFoundUnderAPsfOfAnyKind) {
  for (const Image& clean : {gaussian(25, 1.5), gaussian(24, 2), moffat(31, 3)}) {
    for (const double part : {0.01, 0.05, 0.2, 0.5, -0.002}) {
      const PsfSky sky = estimate_psf_sky(with_sky(clean, part * peak(clean)));
      double light = 0;
      for (const double value : clean.pixels) light += value;
      // What is left of it is less than 1% of the light.
      EXPECT_NEAR(sky.level, part * peak(clean), 0.01 * light / static_cast<double>(clean.size()))
          << part;
    }
  }
}

TEST(PsfSky, NoisyPixelsAreNoWings) {
  Random random(5);
  for (int k = 0; k < 20; ++k) {
    Image image = with_sky(gaussian(25, 1.5), 0.01);
    for (double& value : image.pixels) value += 3e-4 * random.normal();
    // The median of 96 pixels: 1.25·3e-4/√96 is one standard deviation.
    EXPECT_NEAR(estimate_psf_sky(image).level, 0.01, 4 * 4e-5);
  }
}

TEST(PsfSky, WingsAreNotTakenForIt) {
  for (const Image& clean :
       {gaussian(25, 1.5), gaussian(11, 1.5), gaussian(9, 1.5), moffat(25, 3), moffat(31, 3)}) {
    EXPECT_EQ(estimate_psf_sky(clean).level, 0);
  }
}

TEST(PsfSky, FluxesAreThoseOfThePsfWithoutIt) {
  Image image = blank_image(60, 60);
  for (const double x : {15.0, 30.5, 45.2}) add_source({x, 60 - x, 1.5, 30}, image);
  Random random(3);
  for (double& value : image.pixels) value += 0.1 * random.normal();
  LocateOptions options;
  const Image clean = gaussian(25, 1.5);
  options.psf = std::make_shared<const PsfImage>(clean);
  const LocateResult expected = locate(image, options);
  ASSERT_EQ(expected.detections.size(), 3u);
  EXPECT_TRUE(expected.warnings.empty());
  for (const double part : {0.05, 0.2, 0.5}) {
    options.psf = std::make_shared<const PsfImage>(with_sky(clean, part * peak(clean)));
    const LocateResult found = locate(image, options);
    ASSERT_EQ(found.detections.size(), 3u) << part;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(found.detections[k].source.flux / expected.detections[k].source.flux, 1, 1e-3);
    }
    ASSERT_EQ(found.warnings.size(), 1u);
    EXPECT_THAT(found.warnings[0], HasSubstr("was taken off every pixel of the PSF"));
  }
}

TEST(PsfSky, WhatHasNoWingsIsRefused) {
  Image flat = with_sky(blank_image(25, 25), 3);
  EXPECT_THAT(refusal(flat), HasSubstr("shows no point source"));
  Random random(2);
  for (double& value : flat.pixels) value += random.normal();
  EXPECT_THAT(refusal(flat), HasSubstr("shows no point source"));
  EXPECT_THAT(refusal(gaussian(7, 3)), HasSubstr("has no wings that end within it"));
  EXPECT_THAT(refusal(gaussian(3, 1.5)), HasSubstr("has no wings that end within it"));
  const Image cut = gaussian(9, 1.5);
  EXPECT_THAT(refusal(with_sky(cut, 0.05 * peak(cut))), HasSubstr("has no wings"));
}

}  // namespace
}  // namespace ardent
