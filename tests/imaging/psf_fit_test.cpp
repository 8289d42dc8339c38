#include "ardent/imaging/psf_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/random.h"

namespace ardent {
namespace {

Image image_of(const std::vector<Source>& sources, Index width, Index height) {
  Image image = blank_image(width, height);
  for (const Source& source : sources) add_source(source, image);
  return image;
}

TEST(PsfFit, RecoversOverlappingSourcesWithoutNoise) {
  const std::vector<Source> truth{{10.3, 9.8, 1.4, 5}, {13.1, 11.2, 2.1, 8}};
  const PsfFit fit = fit_sources(image_of(truth, 24, 20), {{10, 10, 1.8, 4}, {13.5, 11, 1.8, 6}},
                                 {.max_steps = 200, .tolerance = 1e-14});
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(fit.sources[k].x, truth[k].x, 1e-4);
    EXPECT_NEAR(fit.sources[k].y, truth[k].y, 1e-4);
    EXPECT_NEAR(fit.sources[k].sigma, truth[k].sigma, 1e-4);
    EXPECT_NEAR(fit.sources[k].flux, truth[k].flux, 1e-3);
  }
}

TEST(PsfFit, HessianIsThatOfTheModelsFiniteDifferences) {
  const std::vector<Source> sources{{6.2, 5.1, 1.3, 4}, {8.4, 7.7, 1.9, 3}};
  const Image image = image_of(sources, 12, 13);
  const PsfFit fit = fit_sources(image, sources, {.max_steps = 1});
  Matrix jacobian(image.size(), 8);
  for (Index p = 0; p < 8; ++p) {
    constexpr double kStep = 1e-5;
    Vector sides[2];
    for (const int side : {0, 1}) {
      std::vector<Source> moved = fit.sources;
      Source& source = moved[p / 4];
      double* fields[4] = {&source.x, &source.y, &source.flux, &source.sigma};
      *fields[p % 4] += side == 0 ? -kStep : kStep;
      const Image at = image_of(moved, 12, 13);
      sides[side] = Eigen::Map<const Vector>(at.pixels.data(), at.size());
    }
    jacobian.col(p) = (sides[1] - sides[0]) / (2 * kStep);
  }
  const Matrix expected = jacobian.transpose() * jacobian;
  EXPECT_LT((fit.hessian - expected).cwiseAbs().maxCoeff(), 1e-6 * expected.maxCoeff());
}

TEST(PsfFit, FluxVarianceIsThatOfRepeatedDraws) {
  const Source truth{10.4, 9.7, 1.5, 30};
  const Image clean = image_of({truth}, 20, 20);
  Random random(3);
  constexpr int kDraws = 300;
  double sum = 0, square = 0, reported = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    Image image = clean;
    for (double& value : image.pixels) value += 0.3 * random.normal();
    const PsfFit fit = fit_sources(image, {truth}, {});
    sum += fit.sources[0].flux;
    square += std::pow(fit.sources[0].flux, 2);
    reported += 0.09 * parameter_covariance(fit)(2, 2) / kDraws;
  }
  const double variance = square / kDraws - std::pow(sum / kDraws, 2);
  EXPECT_NEAR(variance / reported, 1, 0.3);  // one standard deviation: √(2/300) = 0.08
}

TEST(PsfFit, MissingPixelsKnownWidthsAndNoSources) {
  const Source truth{7.5, 8.2, 1.5, 10};
  Image image = image_of({truth}, 15, 15);
  image.at(7, 8) = std::nan("");
  image.at(1, 1) = std::nan("");
  const PsfFit fit = fit_sources(image, {{7, 8, 2, 8}}, {.sigma_low = 1.5, .sigma_high = 1.5});
  EXPECT_EQ(fit.parameters.size(), 3u);
  EXPECT_EQ(fit.sources[0].sigma, 1.5);
  EXPECT_NEAR(fit.sources[0].x, 7.5, 1e-3);
  EXPECT_NEAR(fit.sources[0].flux, 10, 1e-2);
  EXPECT_GT(fit_sources(image, {}, {}).square_sum, 1);
}

}  // namespace
}  // namespace ardent
