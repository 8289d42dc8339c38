#include "ardent/imaging/locate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/base/random.h"
#include "ardent/imaging/scene.h"
#include "ardent/imaging/source_metrics.h"
#include "imaging/sources_of.h"
#include "problems/thread_farm.h"

namespace ardent {
namespace {

using testing::HasSubstr;

TEST(Locate, FindsAndCleansThePapersScenes) {
  double recall = 0, precision = 0, before = 0, after = 0, on_the_grid = 0;
  constexpr int kScenes = 30;  // one scene more or less found must not decide
  for (std::uint64_t seed = 1; seed <= kScenes; ++seed) {
    const Scene scene = make_scene({.snr = 10, .seed = seed});
    const LocateResult found = locate(scene.image, {.background = BackgroundKind::none});
    const Matches matches = match_sources(sources_of(found), scene.truth, 1.5);
    recall += matches.recall / kScenes;
    precision += matches.precision / kScenes;
    before += psnr(scene.clean, scene.image) / kScenes;
    after += psnr(scene.clean, found.model) / kScenes;
    LocateOptions grid{.background = BackgroundKind::none};
    grid.tile.refine = false;
    on_the_grid += psnr(scene.clean, locate(scene.image, grid).model) / kScenes;
  }
  EXPECT_GT(recall, 0.85);
  EXPECT_GT(precision, 0.9);
  EXPECT_GT(on_the_grid, before + 10);
  EXPECT_GT(after, before + 12);
}

TEST(Locate, SourcesOnSeamsAreReportedOnce) {
  // A row of sources every 4.3 pixels, so that some lie on any seam.
  Image image = blank_image(130, 60);
  std::vector<Source> truth;
  for (double x = 8; x < 124; x += 8.6) truth.push_back({x, 20 + x / 10, 1.5, 20});
  for (const Source& source : truth) add_source(source, image);
  Random random(7);
  for (double& value : image.pixels) value += 0.05 * random.normal();
  for (const Index core : {8, 11, 20}) {
    LocateOptions options{.sigma_low = 1.5, .sigma_high = 1.5};
    options.core = core;
    const LocateResult found = locate(image, options);
    EXPECT_GT(found.tiles, 1);
    EXPECT_EQ(found.detections.size(), truth.size()) << core;
    EXPECT_EQ(match_sources(sources_of(found), truth, 0.2).recall, 1) << core;
  }
}

TEST(Locate, CodesAloneSettleTheSkyUnderACrowd) {
  // Half of the pixels have light of a star: the first background is too high by more than the
  // noise. The fit finds it nearly right, so that the image is searched twice at most, not four
  // times.
  const Scene scene = make_scene({.sources = 60,
                                  .width = 64,
                                  .height = 64,
                                  .sigma_low = 1.5,
                                  .sigma_high = 1.5,
                                  .noise = 0.002,
                                  .background = 3,
                                  .seed = 1});
  Index skies = 0, searches = 0;
  const auto count_tasks = [&](const ProgressEvent& event) {
    if (event.done == event.total) (event.task.starts_with("sky") ? skies : searches) += 1;
    return true;
  };
  const LocateResult found =
      locate(scene.image, {.sigma_low = 1.5, .sigma_high = 1.5}, count_tasks);
  EXPECT_EQ(skies, 2);
  EXPECT_LE(searches, 2);
  EXPECT_NEAR(found.background.pixels[0], 3, 0.3 * std::sqrt(0.002));
  const Matches matches = match_sources(sources_of(found), scene.truth, 1.5);
  EXPECT_GT(matches.recall, 0.8);
  EXPECT_GT(matches.precision, 0.95);
}

TEST(Locate, FluxErrorsOfLoneSourcesAreOfTheRightSize) {
  // Sources 15 pixels apart: the standardised errors of their fluxes have variance 1.
  Random random(9);
  Image image = blank_image(165, 165);
  std::vector<Source> truth;
  for (double y = 8; y < 160; y += 15) {
    for (double x = 8; x < 160; x += 15) {
      truth.push_back({x + random.uniform(), y + random.uniform(), 1.5, random.uniform(5, 20)});
      add_source(truth.back(), image);
    }
  }
  for (double& value : image.pixels) value += 0.1 * random.normal();
  const LocateResult found = locate(image, {.sigma_low = 1, .sigma_high = 2});
  double sum = 0;
  Index count = 0;
  for (const Detection& detection : found.detections) {
    for (const Source& source : truth) {
      if (std::hypot(source.x - detection.source.x, source.y - detection.source.y) > 1) continue;
      sum += std::pow((source.flux - detection.source.flux) / detection.flux_sd, 2);
      ++count;
    }
  }
  ASSERT_EQ(count, std::ssize(truth));
  EXPECT_NEAR(sum / static_cast<double>(count), 1, 0.4);  // √(2/121) = 0.13 is one sigma
}

TEST(Locate, NothingIsFoundInNoise) {
  Image image = blank_image(100, 100);
  Random random(11);
  for (double& value : image.pixels) value = 5 + random.normal();
  EXPECT_LE(locate(image).detections.size(), 1u);
}

TEST(Locate, MissingPixelsAreNoHoles) {
  Scene scene = make_scene({.sources = 3, .snr = 20, .seed = 12});
  Random random(2);
  for (double& value : scene.image.pixels) {
    if (random.uniform() < 0.1) value = std::nan("");
  }
  const LocateResult found = locate(scene.image, {.background = BackgroundKind::none});
  EXPECT_EQ(match_sources(sources_of(found), scene.truth, 1.5).recall, 1);
  EXPECT_GT(psnr(scene.clean, found.model), 35);
}

TEST(Locate, SameBitsForAnyNumberOfThreads) {
  const Scene scene = make_scene({.sources = 12, .width = 60, .height = 45, .seed = 4});
  const auto run = [&](int threads) {
    const ThreadScope scope(threads);
    return locate(scene.image);
  };
  const LocateResult one = run(1), four = run(4);
  ASSERT_EQ(one.detections.size(), four.detections.size());
  EXPECT_EQ(one.model.pixels, four.model.pixels);
  for (std::size_t k = 0; k < one.detections.size(); ++k) {
    EXPECT_EQ(one.detections[k].source.x, four.detections[k].source.x);
    EXPECT_EQ(one.detections[k].probability, four.detections[k].probability);
  }
}

TEST(Locate, SeveralProcessesShareTheTiles) {
  const Scene scene = make_scene({.sources = 12, .width = 60, .height = 45, .seed = 4});
  const LocateResult alone = locate(scene.image);
  const auto shared = problems::ThreadFarm::run_in(
      2, [&](TaskFarm* farm) { return locate(scene.image, {.farm = farm}); });
  for (const LocateResult& found : shared) {
    ASSERT_EQ(found.detections.size(), alone.detections.size());
    EXPECT_EQ(found.model.pixels, alone.model.pixels);
    for (std::size_t k = 0; k < alone.detections.size(); ++k) {
      EXPECT_EQ(found.detections[k].source.flux, alone.detections[k].source.flux);
      EXPECT_EQ(found.detections[k].flux_sd, alone.detections[k].flux_sd);
      EXPECT_EQ(found.detections[k].joined.size(), alone.detections[k].joined.size());
    }
  }
}

TEST(Locate, ImagesThatCannotBeMeasuredAreRefused) {
  const auto refusal = [](const Image& image, const LocateOptions& options = {}) -> std::string {
    try {
      locate(image, options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  Image unknown = blank_image(5, 4);
  for (double& value : unknown.pixels) value = std::nan("");
  EXPECT_THAT(refusal(unknown), HasSubstr("none of the 5 × 4 pixels"));
  EXPECT_THAT(refusal(blank_image(1, 1)), HasSubstr("give its variance as noise"));
  EXPECT_THAT(refusal(blank_image(30, 30)), HasSubstr("give its variance as noise"));
  EXPECT_EQ(refusal(blank_image(1, 1), {.noise = 1}), "accepted");
  EXPECT_THAT(refusal(blank_image(9, 9), {.sigma_low = 3, .sigma_high = 2}), HasSubstr("sigma"));
}

}  // namespace
}  // namespace ardent
