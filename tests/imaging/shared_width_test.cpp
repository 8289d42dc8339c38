// One width for a field of stars, own widths for a field of others.
#include "ardent/imaging/shared_width.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/parallel.h"
#include "ardent/base/random.h"
#include "ardent/imaging/locate.h"
#include "ardent/imaging/source_metrics.h"
#include "imaging/sources_of.h"

namespace ardent {
namespace {

MeasuredWidth measured(double sigma, double sd) {
  return {{.x = 1, .y = 1, .sigma = sigma, .flux = 1}, sd};
}

TEST(SharedWidth, IsTheMeanByWeightOfWidthsThatAgree) {
  std::vector<MeasuredWidth> widths(15, measured(1.5, 0.05));
  widths.push_back(measured(1.45, 0.02));
  widths.push_back(measured(2.5, 0.8));  // not known well: does not count
  const auto weight = [](double sigma, double sd) {
    return 1 / (sd * sd + std::pow(0.005 * sigma, 2));
  };
  const double many = 15 * weight(1.5, 0.05), one = weight(1.45, 0.02);
  const auto shared = common_width(widths, 1e-4);
  ASSERT_TRUE(shared);
  EXPECT_NEAR(*shared, (1.5 * many + 1.45 * one) / (many + one), 1e-12);
}

TEST(SharedWidth, IsNoneWhereWidthsDifferOrAreFew) {
  const std::vector<MeasuredWidth> few(5, measured(1.5, 0.05));
  EXPECT_FALSE(common_width(few, 1e-4));
  std::vector<MeasuredWidth> widths(30, measured(1.5, 0.05));
  EXPECT_TRUE(common_width(widths, 1e-4));
  widths.push_back(measured(2.5, 0.1));
  EXPECT_FALSE(common_width(widths, 1e-4));  // a wide one in a field too sparse for blends
  EXPECT_TRUE(common_width(widths, 0.015));  // in a crowd it may be two
  widths.back() = measured(1, 0.05);
  EXPECT_FALSE(common_width(widths, 0.015));  // but nothing looks narrower than it is
}

/// Stars about 13 pixels apart; every third has the second width.
Image field(double sigma, double other, std::vector<Source>& truth) {
  Random random(5);
  Image image = blank_image(150, 150);
  for (double y = 8; y < 145; y += 13) {
    for (double x = 8; x < 145; x += 13) {
      truth.push_back({x + random.uniform(), y + random.uniform(),
                       truth.size() % 3 == 0 ? other : sigma, random.uniform(20, 60)});
      add_source(truth.back(), image);
    }
  }
  for (double& value : image.pixels) value += 3 + 0.1 * random.normal();
  return image;
}

TEST(SharedWidth, StarsOfOneWidthAreAllSearchedWithIt) {
  std::vector<Source> truth;
  const Image image = field(1.4, 1.4, truth);
  const auto run = [&](int threads) {
    const ThreadScope scope(threads);
    return locate(image, {.sigma_low = 1, .sigma_high = 3, .shared_width = SharedWidth::automatic});
  };
  const LocateResult found = run(1), by_four = run(4);
  EXPECT_EQ(found.model.pixels, by_four.model.pixels);
  const Matches matches = match_sources(sources_of(found), truth, 1);
  EXPECT_EQ(matches.recall, 1);
  EXPECT_GT(matches.precision, 0.98);
  for (const Detection& one : found.detections) {
    EXPECT_EQ(one.source.sigma, found.detections[0].source.sigma);
  }
  EXPECT_NEAR(found.detections[0].source.sigma, 1.4, 0.02);
}

TEST(SharedWidth, StarsOfSeveralWidthsKeepTheirOwn) {
  std::vector<Source> truth;
  const Image image = field(1.2, 2.2, truth);
  const LocateResult found =
      locate(image, {.sigma_low = 1, .sigma_high = 3, .shared_width = SharedWidth::automatic});
  EXPECT_EQ(match_sources(sources_of(found), truth, 1).recall, 1);
  for (const Detection& one : found.detections) {
    for (const Source& source : truth) {
      if (distance(source, one.source) > 2) continue;
      EXPECT_NEAR(one.source.sigma, source.sigma, 0.25);
    }
  }
}

}  // namespace
}  // namespace ardent
