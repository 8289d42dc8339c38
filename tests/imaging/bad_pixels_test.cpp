#include "ardent/imaging/bad_pixels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "ardent/base/random.h"
#include "ardent/imaging/locate.h"

namespace ardent {
namespace {

struct Field {
  Image image;
  std::vector<Source> truth;
};

Field stars(double noise) {
  Field field{blank_image(150, 150), {}};
  Random random(6);
  for (double y = 10; y < 145; y += 15) {
    for (double x = 10; x < 145; x += 15) {
      field.truth.push_back(
          {x + 3 * random.uniform(), y + 3 * random.uniform(), 1.5, random.uniform(50, 200)});
      add_source(field.truth.back(), field.image);
    }
  }
  for (double& value : field.image.pixels) value += 40 + noise * random.normal();
  return field;
}

/// Root mean square error of the fluxes of the true sources; those not found count in full.
double flux_error(const LocateResult& found, const std::vector<Source>& truth) {
  double sum = 0;
  for (const Source& source : truth) {
    double flux = 0;
    for (const Detection& detection : found.detections) {
      const Source& one = detection.source;
      if (std::hypot(one.x - source.x, one.y - source.y) < 1.5) flux += one.flux;
    }
    sum += (flux - source.flux) * (flux - source.flux);
  }
  return std::sqrt(sum / static_cast<double>(truth.size()));
}

TEST(BadPixels, TheSharpestPixelOfAPsf) {
  double most = 0;  // over places an eighth of a pixel apart
  for (double dx = -0.5; dx <= 0.5; dx += 0.125) {
    for (double dy = -0.5; dy <= 0.5; dy += 0.125) {
      std::vector<double> around;
      for (const double i : {-1.0, 0.0, 1.0}) {
        for (const double j : {-1.0, 0.0, 1.0}) {
          if (i != 0 || j != 0) around.push_back(pixel_share(i - dx, 1) * pixel_share(j - dy, 1));
        }
      }
      std::sort(around.rbegin(), around.rend());
      most = std::max(most, pixel_share(dx, 1) * pixel_share(dy, 1) / around[2]);
    }
  }
  EXPECT_NEAR(sharpest_ratio(gaussian_psf(), 1), most, 1e-6);
  EXPECT_GT(sharpest_ratio(gaussian_psf(), 0.5), 2 * sharpest_ratio(gaussian_psf(), 1));
}

TEST(BadPixels, HotAndDeadOnesAreRejectedAndCounted) {
  const Field field = stars(1);
  const LocateOptions options{.sigma_low = 1.5, .sigma_high = 1.5};
  const LocateResult clean = locate(field.image, options);
  EXPECT_EQ(clean.bad_pixels.size(), 0u);  // of none there are none
  Image image = field.image;
  std::set<std::size_t> bad;
  Random random(4);
  while (bad.size() < 120) bad.insert(static_cast<std::size_t>(random.below(image.size())));
  int k = 0;
  for (const std::size_t p : bad) image.pixels[p] = ++k % 2 == 0 ? 0 : random.uniform(100, 3000);
  const LocateResult found = locate(image, options);
  EXPECT_GE(found.bad_pixels.size(), 118u);
  std::size_t wrong = 0;
  for (const std::size_t p : found.bad_pixels) wrong += bad.count(p) == 0 ? 1 : 0;
  EXPECT_LE(wrong, 2u);
  EXPECT_LT(flux_error(found, field.truth), 1.3 * flux_error(clean, field.truth));
  EXPECT_EQ(found.detections.size(), clean.detections.size());
  LocateOptions keep = options;
  keep.bad_pixels = BadPixels::keep;
  const LocateResult kept = locate(image, keep);
  EXPECT_TRUE(kept.bad_pixels.empty());
  EXPECT_GT(flux_error(kept, field.truth), 5 * flux_error(clean, field.truth));
}

TEST(BadPixels, StarsAreNotAmongThem) {
  // Bright, as narrow as asked for or half as wide, anywhere on a pixel; photon noise that nobody
  // spoke of.
  for (const double sigma : {0.5, 1.0, 2.0}) {
    Image image = blank_image(120, 120);
    Random random(8);
    for (double y = 8; y < 115; y += 12) {
      for (double x = 8; x < 115; x += 12) {
        add_source({x + random.uniform(), y + random.uniform(), sigma,
                    std::pow(10.0, random.uniform(2, 4))},
                   image);
      }
    }
    for (double& value : image.pixels) value += std::sqrt(1 + value) * random.normal();
    const PixelNoise noise{1};
    EXPECT_TRUE(find_bad_pixels(image, noise, sharpest_ratio(gaussian_psf(), 1),
                                BadPixelSide::sources_are_bright)
                    .empty())
        << sigma;
  }
}

TEST(BadPixels, AColumnIsRejectedToo) {
  Image image = blank_image(40, 40);
  Random random(1);
  for (double& value : image.pixels) value = random.normal();
  for (Index y = 1; y <= 40; ++y) image.at(20, y) = 200;
  for (Index y = 1; y <= 40; ++y) image.at(31, y) = -200;
  const auto bad = find_bad_pixels(image, {1}, sharpest_ratio(gaussian_psf(), 1),
                                   BadPixelSide::sources_are_bright);
  EXPECT_EQ(bad.size(), 80u);
}

}  // namespace
}  // namespace ardent
