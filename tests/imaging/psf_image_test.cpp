#include "ardent/imaging/psf_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/random.h"
#include "ardent/imaging/locate.h"
#include "ardent/imaging/scene.h"
#include "ardent/imaging/source_metrics.h"

namespace ardent {
namespace {

using testing::HasSubstr;

/// A Gaussian that is neither in the middle of its pixels nor of an odd size.
Image gaussian_image(double sigma = 1.5) {
  Image image = blank_image(25, 24);
  add_source({12.3, 12.6, sigma, 7}, image);
  return image;
}

TEST(PsfImage, KeepsTheLightWhereverTheSourceLies) {
  // Lopsided and noisy: nothing that a Gaussian would explain.
  Image image = gaussian_image();
  Random random(3);
  for (double& value : image.pixels) value += 0.001 * random.uniform();
  const PsfImage psf(image);
  for (const double shift : {0.0, 0.2, 0.5, 0.77}) {
    Image pixels = blank_image(70, 70);
    psf.add({35 + shift, 33 - shift, psf.sigma(), 3}, pixels);
    double sum = 0, x = 0, y = 0;
    for (Index v = 1; v <= 70; ++v) {
      for (Index u = 1; u <= 70; ++u) {
        sum += pixels.at(u, v);
        x += static_cast<double>(u) * pixels.at(u, v);
        y += static_cast<double>(v) * pixels.at(u, v);
      }
    }
    EXPECT_NEAR(sum, 3, 1e-6);
    EXPECT_NEAR(x / sum, 35 + shift, 1e-5);  // the centroid is the place
    EXPECT_NEAR(y / sum, 33 - shift, 1e-5);
  }
}

TEST(PsfImage, AGaussiansImageIsTheGaussianAnywhere) {
  const PsfImage psf(gaussian_image());
  for (const double x : {20.0, 20.37, 20.5, 20.9}) {
    Image spline = blank_image(40, 40), exact = blank_image(40, 40);
    psf.add({x, 19.8, 1.5, 1}, spline);
    add_source({x, 19.8, 1.5, 1}, exact);
    for (std::size_t p = 0; p < exact.pixels.size(); ++p) {
      EXPECT_NEAR(spline.pixels[p], exact.pixels[p], 3e-4);  // of a peak of 0.07
    }
  }
  EXPECT_NEAR(psf.sigma(), 1.5, 0.05);
  EXPECT_NEAR(psf.radius(), 1.5 * std::sqrt(2 * std::log(100)), 0.5);  // 99% of a Gaussian
}

TEST(PsfImage, SlopesAreThoseOfFiniteDifferences) {
  const PsfImage psf(gaussian_image(1.1));
  const Source source{20.3, 18.8, 1, 1};
  const Footprint print = psf.footprint(source, blank_image(40, 36), true);
  constexpr double kStep = 1e-5;
  const auto share = [&](double dx, double dy) {
    return psf.footprint({source.x + dx, source.y + dy, 1, 1}, blank_image(40, 36), false).share;
  };
  const Matrix by_x = (share(kStep, 0) - share(-kStep, 0)) / (2 * kStep);
  const Matrix by_y = (share(0, kStep) - share(0, -kStep)) / (2 * kStep);
  EXPECT_LT((by_x - print.by_x).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT((by_y - print.by_y).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(PsfImage, ReachesNoPixelFromFarAwayAndStaysInsideNearBorders) {
  const PsfImage psf(gaussian_image());
  EXPECT_EQ(psf.footprint({-200, 5, 1, 1}, blank_image(20, 20), true).share.size(), 0);
  for (double x = -3; x < 24; x += 0.25) {
    const Footprint print = psf.footprint({x, 1, 1, 1}, blank_image(20, 20), false);
    EXPECT_GE(print.box.left, 1);
    EXPECT_LE(print.box.left + print.share.rows() - 1, 20);
  }
}

TEST(PsfImage, FindsWhatTheGaussianFinds) {
  const Scene scene = make_scene({.sources = 30,
                                  .width = 64,
                                  .height = 64,
                                  .sigma_low = 1.5,
                                  .sigma_high = 1.5,
                                  .noise = 0.002,
                                  .seed = 3});
  LocateOptions options{.sigma_low = 1.5, .sigma_high = 1.5};
  const auto sources = [](const LocateResult& result) {
    std::vector<Source> all;
    for (const Detection& detection : result.detections) all.push_back(detection.source);
    return all;
  };
  const std::vector<Source> by_gaussian = sources(locate(scene.image, options));
  options.psf = std::make_shared<const PsfImage>(gaussian_image());
  const LocateResult found = locate(scene.image, options);
  const Matches same = match_sources(sources(found), by_gaussian, 0.1);
  EXPECT_EQ(same.f1, 1);
  EXPECT_GE(match_sources(sources(found), scene.truth, 1.5).f1, 0.95);
  EXPECT_GT(psnr(scene.clean, found.model), psnr(scene.clean, scene.image) + 8);
}

TEST(PsfImage, UnsuitableImagesAreRefusedForWhatTheyAre) {
  const auto refusal = [](const Image& image) -> std::string {
    try {
      const PsfImage psf(image);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal(blank_image(2, 9)), HasSubstr("at least 3 × 3"));
  EXPECT_THAT(refusal(blank_image(5, 5)), HasSubstr("must be above 0"));
  Image image = gaussian_image();
  image.at(4, 4) = std::nan("");
  EXPECT_THAT(refusal(image), HasSubstr("1 missing"));
  image.at(4, 4) = INFINITY;
  EXPECT_THAT(refusal(image), HasSubstr("not finite"));
  image = gaussian_image();
  for (double& value : image.pixels) value -= 7.0 / 610;
  EXPECT_THAT(refusal(image), testing::AnyOf(HasSubstr("sky"), HasSubstr("above 0")));
  for (double& value : image.pixels) value = -1;
  EXPECT_THAT(refusal(image), HasSubstr("above 0"));
  EXPECT_EQ(refusal(gaussian_image()), "accepted");
}

}  // namespace
}  // namespace ardent
