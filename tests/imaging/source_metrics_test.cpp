#include "ardent/imaging/source_metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ardent/base/error.h"

namespace ardent {
namespace {

using Sources = std::vector<Source>;

TEST(GroupIou, FollowsDefinitionFiveOne) {
  const Sources truth{{10, 10}, {20, 20}};
  EXPECT_EQ(group_iou(truth, truth), 1);
  // Boxes of side 5, two pixels apart in x: 15 common, 35 in all.
  EXPECT_NEAR(group_iou(Sources{{12, 10}, {20, 20}}, truth), (15.0 / 35 + 1) / 2, 1e-14);
  // More found than true: the mean runs over the found ones, and a spurious one costs.
  EXPECT_NEAR(group_iou(Sources{{10, 10}, {20, 20}, {40, 40}}, truth), 2.0 / 3, 1e-14);
  // Fewer: over the true ones.
  EXPECT_NEAR(group_iou(Sources{{20, 20}}, truth), 0.5, 1e-14);
  EXPECT_EQ(group_iou(Sources{}, truth), 0);
  EXPECT_EQ(group_iou(truth, Sources{}), 0);
  EXPECT_EQ(group_iou(Sources{}, Sources{}), 1);
}

TEST(MatchSources, PairsEachSourceOnceNearestFirst) {
  const Sources truth{{10, 10}, {11, 10}};
  // The first found one is nearest to the second true one, which leaves it the first.
  const Matches matches = match_sources(Sources{{10.9, 10}, {10.6, 10}}, truth, 1.5);
  EXPECT_EQ(matches.pairs, 2);
  EXPECT_NEAR(matches.distance, (0.1 + 0.6) / 2, 1e-12);
  EXPECT_EQ(match_sources(Sources{{10, 10}, {10.1, 10}, {10.2, 10}}, Sources{{10, 10}}, 1.5).pairs,
            1);
}

TEST(MatchSources, CountsRecallAndPrecision) {
  const Sources truth{{1, 1}, {5, 5}, {9, 9}, {30, 30}}, found{{1.2, 1}, {5, 6.6}, {9, 9}};
  const Matches matches = match_sources(found, truth, 1.5);
  EXPECT_EQ(matches.pairs, 2);  // (5, 6.6) is 1.6 away
  EXPECT_NEAR(matches.recall, 0.5, 1e-15);
  EXPECT_NEAR(matches.precision, 2.0 / 3, 1e-15);
  EXPECT_NEAR(matches.f1, 4.0 / 7, 1e-15);
  EXPECT_EQ(match_sources(Sources{}, Sources{}, 1).f1, 1);
  EXPECT_EQ(match_sources(Sources{}, truth, 1).recall, 0);
}

TEST(Psnr, IsTheClosedFormAndLeavesMissingPixelsOut) {
  Image reference = blank_image(2, 2), image = blank_image(2, 2);
  reference.pixels = {4, 0, 0, 0};
  image.pixels = {4, 0, 0, 2};
  EXPECT_NEAR(psnr(reference, image), 20 * std::log10(4 / 1.0), 1e-12);
  image.pixels[3] = std::nan("");
  EXPECT_EQ(psnr(reference, image), INFINITY);
  EXPECT_THROW(psnr(reference, blank_image(3, 2)), InputError);
  EXPECT_THROW(psnr(blank_image(2, 2), image), InputError);
}

}  // namespace
}  // namespace ardent
