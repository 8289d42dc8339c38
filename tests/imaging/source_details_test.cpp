#include "ardent/imaging/source_details.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ardent/imaging/locate.h"
#include "ardent/imaging/scene.h"

namespace ardent {
namespace {

/// Stars of one width on a grid, far from each other, with white noise of variance 1.
Scene grid_of_stars(Index each_way, double spacing, double sigma, double flux) {
  SceneOptions options{.sources = 1, .width = 40, .height = 40, .noise = 1, .seed = 3};
  options.width = options.height = static_cast<Index>(spacing) * each_way + 1;
  Scene scene = make_scene(options);
  for (std::size_t p = 0; p < scene.image.pixels.size(); ++p) {
    scene.image.pixels[p] -= scene.clean.pixels[p];  // the noise alone
  }
  scene.truth.clear();
  for (Index i = 0; i < each_way * each_way; ++i) {
    const double shift = 0.37 * static_cast<double>(i % 7) / 7;
    const Source star{spacing * (0.5 + static_cast<double>(i % each_way)) + shift,
                      spacing * (0.5 + static_cast<double>(i / each_way)) - shift, sigma, flux};
    gaussian_psf().add(star, scene.image);
    scene.truth.push_back(star);
  }
  return scene;
}

LocateOptions of_width(double sigma) {
  LocateOptions options;
  options.sigma_low = options.sigma_high = sigma;
  options.background = BackgroundKind::none;
  options.noise = 1;
  return options;
}

TEST(SourceDetails, ErrorsOfALoneStarAreTheClosedForm) {
  const double sigma = 2, flux = 400;
  const Scene scene = grid_of_stars(1, 40, sigma, flux);
  const LocateOptions options = of_width(sigma);
  const LocateResult found = locate(scene.image, options);
  ASSERT_EQ(found.detections.size(), 1u);
  const SourceDetails details = source_details(scene.image, options, found).at(0);
  // Σ (∂model/∂x)² = flux²/(8π s⁴) for a Gaussian of width s; a pixel widens it by 1/12.
  const double square = sigma * sigma + 1.0 / 12;
  const double expected =
      std::sqrt(8 * std::numbers::pi) * square / found.detections[0].source.flux;
  EXPECT_NEAR(details.x_sd, expected, 0.01 * expected);
  EXPECT_NEAR(details.y_sd, expected, 0.01 * expected);
  EXPECT_NEAR(found.detections[0].flux_sd, std::sqrt(4 * std::numbers::pi * square), 0.05);
  EXPECT_NEAR(details.cov_xy, 0, 0.01 * expected * expected);
  EXPECT_EQ(details.sigma_sd, 0);
  EXPECT_EQ(details.flags, 0);
  Index pixels = 0;
  const Source& star = found.detections[0].source;
  for (Index y = 1; y <= scene.image.height; ++y) {
    for (Index x = 1; x <= scene.image.width; ++x) {
      const double u = static_cast<double>(x) - star.x, v = static_cast<double>(y) - star.y;
      pixels += u * u + v * v <= 16;
    }
  }
  EXPECT_EQ(details.pixels, pixels);  // within 2σ
  EXPECT_EQ(details.sky, 0);
  EXPECT_NEAR(details.chi_square, 1, 0.6);
}

TEST(SourceDetails, PlacesLieWithinTheirErrorsAsOftenAsTheyShould) {
  const Scene scene = grid_of_stars(10, 16, 1.5, 100);
  const LocateOptions options = of_width(1.5);
  const LocateResult found = locate(scene.image, options);
  const std::vector<SourceDetails> details = source_details(scene.image, options, found);
  int near = 0, within = 0;
  double chi_square = 0;
  for (std::size_t k = 0; k < details.size(); ++k) {
    const Source& source = found.detections[k].source;
    for (const Source& star : scene.truth) {
      if (std::hypot(star.x - source.x, star.y - source.y) > 1.5) continue;
      near += 2;
      within += std::abs(star.x - source.x) <= details[k].x_sd;
      within += std::abs(star.y - source.y) <= details[k].y_sd;
      chi_square += details[k].chi_square / 100;
    }
  }
  ASSERT_GE(near, 190);
  // 68.3% of 200: one standard deviation is 3.3%.
  EXPECT_NEAR(static_cast<double>(within) / near, 0.683, 0.1);
  EXPECT_NEAR(chi_square, 1, 0.1);
}

TEST(SourceDetails, FlagsSayWhatToBeWaryOf) {
  Image image = grid_of_stars(1, 60, 1.5, 1).image;
  const Source stars[] = {{15, 15, 1.5, 300},
                          {19, 15, 1.5, 300},    // neighbours
                          {2, 40, 1.5, 300},     // at the border
                          {45, 15, 1.5, 300},    // a pixel is missing
                          {45, 45, 1.5, 3000}};  // saturated
  for (const Source& star : stars) gaussian_psf().add(star, image);
  image.at(46, 16) = std::nan("");
  LocateOptions options = of_width(1.5);
  options.saturation = 150;
  const LocateResult found = locate(image, options);
  const std::vector<SourceDetails> details = source_details(image, options, found);
  const auto flags_near = [&](double x, double y) {
    for (std::size_t k = 0; k < details.size(); ++k) {
      const Source& source = found.detections[k].source;
      if (std::hypot(source.x - x, source.y - y) < 1) return details[k].flags & ~kJoinedSources;
    }
    return -1;
  };
  EXPECT_EQ(flags_near(15, 15), kBlended);
  EXPECT_EQ(flags_near(19, 15), kBlended);
  EXPECT_EQ(flags_near(2, 40), kAtBorder);
  EXPECT_EQ(flags_near(45, 15), kPixelsMissing);
  EXPECT_EQ(flags_near(45, 45), kSaturated);
}

TEST(SourceDetails, NeighboursMakePlacesLessSure) {
  Image image = grid_of_stars(1, 60, 1.5, 1).image;
  const Source stars[] = {{15, 15, 1.5, 300}, {18, 15, 1.5, 300}, {45, 45, 1.5, 300}};
  for (const Source& star : stars) gaussian_psf().add(star, image);
  const LocateOptions options = of_width(1.5);
  const LocateResult found = locate(image, options);
  const std::vector<SourceDetails> details = source_details(image, options, found);
  double blended = 0, lone = 0;
  for (std::size_t k = 0; k < details.size(); ++k) {
    (found.detections[k].source.x > 30 ? lone : blended) = details[k].x_sd;
  }
  EXPECT_GT(lone, 0);
  EXPECT_GT(blended, 1.1 * lone);
}

TEST(SourceDetails, TheNoiseMapIsThatOfPixelsAndSources) {
  Scene scene = grid_of_stars(1, 40, 1.5, 1);
  gaussian_psf().add({20, 20, 1.5, 500}, scene.image);
  LocateOptions options = of_width(1.5);
  const LocateResult found = locate(scene.image, options);
  const Image even = noise_map(scene.image, options, found);
  EXPECT_EQ(even.at(1, 1), 1);
  EXPECT_EQ(even.at(20, 20), 1);
  options.gain = 2;
  const LocateResult photons = locate(scene.image, options);
  const Image map = noise_map(scene.image, options, photons);
  EXPECT_DOUBLE_EQ(map.at(20, 20),
                   std::sqrt(photons.noise_variance + photons.model.at(20, 20) / 2));
}

}  // namespace
}  // namespace ardent
