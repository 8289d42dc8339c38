#include "ardent/imaging/presence.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/random.h"
#include "ardent/imaging/locate.h"
#include "ardent/imaging/scene.h"

namespace ardent {
namespace {

TEST(Presence, ClearSourcesAreCertainAndInventedOnesGo) {
  Image image = blank_image(40, 40);
  add_source({12, 14, 1.5, 10}, image);
  add_source({27, 25, 1.5, 10}, image);
  Random random(5);
  for (double& value : image.pixels) value += 0.05 * random.normal();
  const PsfFitOptions options{.sigma_low = 1.5, .sigma_high = 1.5};
  const Evidence evidence{image, nullptr, 0.0025};
  PsfFit fit = fit_sources(
      image, {{12, 14, 1.5, 10}, {30, 8, 1.5, 0.1}, {27, 25, 1.5, 10}, {13.4, 14.5, 1.5, 0.2}},
      options);
  const std::vector<Detection> kept = keep_probable(fit, 0.5, evidence, options);
  ASSERT_EQ(kept.size(), 2u);
  ASSERT_EQ(fit.sources.size(), 2u);
  for (const Detection& detection : kept) {
    EXPECT_GT(detection.probability, 0.999);
    EXPECT_NEAR(detection.source.flux, 10, 5 * detection.flux_sd);
  }
}

TEST(Presence, OfTwoThatShareOneStarOneStays) {
  // Neither half is needed beside the other, and both would go if they were dropped together; what
  // lies far from them may go at the same time.
  Image image = blank_image(60, 40);
  add_source({20, 20, 1.5, 4}, image);
  Random random(6);
  for (double& value : image.pixels) value += 0.05 * random.normal();
  const PsfFitOptions options{.sigma_low = 1.5, .sigma_high = 1.5};
  PsfFit fit = fit_sources(image,
                           {{19.6, 20, 1.5, 2},
                            {45, 30, 1.5, 0.1},
                            {20.4, 20, 1.5, 2},
                            {52, 8, 1.5, 0.1},
                            {40, 12, 1.5, 0.1}},
                           options);
  const std::vector<Detection> kept = keep_probable(fit, 0.5, {image, nullptr, 0.0025}, options);
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_NEAR(kept[0].source.x, 20, 0.5);
  EXPECT_NEAR(kept[0].source.flux, 4, 4 * kept[0].flux_sd);
  EXPECT_GT(kept[0].probability, 0.99);
}

TEST(Presence, ANeighbourInDoubtWidensTheErrorOfTheFlux) {
  // Two sources that are hardly distinguishable: the flux of each depends on whether both are
  // there.
  Image image = blank_image(24, 24);
  add_source({11, 12, 1.5, 4}, image);
  add_source({13.2, 12, 1.5, 1.5}, image);
  Random random(8);
  for (double& value : image.pixels) value += 0.05 * random.normal();
  const PsfFitOptions options{.sigma_low = 1.5, .sigma_high = 1.5};
  const PsfFit fit = fit_sources(image, {{11, 12, 1.5, 4}, {13.2, 12, 1.5, 1.5}}, options);
  const std::vector<Detection> judged = judge(fit, {image, nullptr, 0.0025}, options);
  const Matrix covariance = 0.0025 * parameter_covariance(fit);
  ASSERT_LT(judged[1].probability, 0.99);
  ASSERT_GT(judged[1].probability, 0.01);
  EXPECT_GE(judged[0].flux_sd, std::sqrt(covariance(2, 2)));
  const double doubt =
      judged[0].flux_sd * judged[0].flux_sd - covariance(2, 2);  // p(1 − p)(f₁ − f₀)²
  const PsfFit alone = fit_sources(image, {{11.6, 12, 1.5, 5.5}}, options);
  const double p = judged[1].probability;
  const double change = fit.sources[0].flux - alone.sources[0].flux;
  EXPECT_NEAR(doubt, p * (1 - p) * change * change, 0.3 * doubt + 1e-3);
}

TEST(Presence, FluxIntervalsOfThePapersScenesCoverTheTruth) {
  // 68% intervals over 60 scenes at 10 dB that are in no table: 240 sources, one sigma is 3%.
  Index covered = 0, count = 0;
  for (std::uint64_t seed = 501; seed <= 560; ++seed) {
    const Scene scene = make_scene({.snr = 10, .seed = seed});
    const LocateResult found = locate(scene.image, {.background = BackgroundKind::none});
    for (const Detection& detection : found.detections) {
      const Source* nearest = nullptr;
      double least = 1.5;
      for (const Source& source : scene.truth) {
        const double gap = std::hypot(source.x - detection.source.x, source.y - detection.source.y);
        if (gap > least) continue;
        least = gap;
        nearest = &source;
      }
      if (!nearest) continue;
      ++count;
      covered += std::abs(detection.source.flux - nearest->flux) <= detection.flux_sd;
    }
  }
  const double fraction = static_cast<double>(covered) / static_cast<double>(count);
  EXPECT_GT(count, 200);
  EXPECT_GT(fraction, 0.60);
  EXPECT_LT(fraction, 0.76);
}

TEST(Presence, JoinedSourcesHaveTheirLightTogether) {
  const Detection big{{10, 10, 1, 3}, 0.3, 1, 10, {{10, 10, 1, 3}}};
  const Detection small{{10.8, 10, 2, 1}, 0.4, 0.7, 2.5, {{10.8, 10, 2, 1}}};
  const Detection far{{13, 10, 1, 2}, 0.1, 1, 20, {{13, 10, 1, 2}}};
  const std::vector<Detection> all = joined({small, far, big}, 1);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].source.flux, 4);
  EXPECT_NEAR(all[0].source.x, 10.2, 1e-12);
  EXPECT_NEAR(all[0].source.sigma, 1.25, 1e-12);
  EXPECT_NEAR(all[0].flux_sd, 0.5, 1e-12);
  EXPECT_NEAR(all[0].snr, 8, 1e-12);
  EXPECT_EQ(all[0].joined.size(), 2u);
  EXPECT_EQ(joined({small, far, big}, 0).size(), 3u);
}

}  // namespace
}  // namespace ardent
