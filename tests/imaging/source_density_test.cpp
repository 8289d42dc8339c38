#include "ardent/imaging/source_density.h"

#include <gtest/gtest.h>

#include <initializer_list>

#include "ardent/base/random.h"
#include "ardent/imaging/locate.h"

namespace ardent {
namespace {

std::vector<Detection> of_probabilities(std::initializer_list<double> probabilities) {
  std::vector<Detection> all;
  for (const double p : probabilities) all.emplace_back().probability = p;
  return all;
}

TEST(SourceDensity, IsSettledTogetherWithTheProbabilities) {
  std::vector<Detection> detections = of_probabilities({1, 0.999, 0.9});
  judge_by_density(detections, 100, 0);
  double sum = 0;
  for (const Detection& one : detections) sum += one.probability;
  const double mean = (1 + sum) / 100, factor = mean / (1 + mean);
  EXPECT_EQ(detections[0].probability, 1);
  const auto odds = [](double p) { return p / (1 - p); };
  EXPECT_NEAR(odds(detections[1].probability), odds(0.999) * factor, 1e-6);
  EXPECT_NEAR(odds(detections[2].probability), odds(0.9) * factor, 1e-6);
  detections = of_probabilities({1, 0.999, 0.9});
  judge_by_density(detections, 100, 0.5);
  EXPECT_EQ(detections.size(), 2u);
}

TEST(SourceDensity, ManySourcesInEveryTileAreJudgedByTheirOwn) {
  std::vector<Detection> detections(500);
  for (Detection& one : detections) one.probability = 0.8;
  judge_by_density(detections, 4, 0.5);
  ASSERT_EQ(detections.size(), 500u);
  EXPECT_NEAR(detections[0].probability, 0.8, 0.01);
}

TEST(SourceDensity, NoiseAloneHasHardlyAnySources) {
  LocateOptions options;
  options.sigma_low = options.sigma_high = 1.5;
  options.background = BackgroundKind::none;
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Image image = blank_image(256, 256);
    Random random(seed);
    for (double& value : image.pixels) value = random.normal();
    found += locate(image, options).detections.size();
  }
  EXPECT_LE(found, 2u);  // by tiles alone about one each
}

}  // namespace
}  // namespace ardent
