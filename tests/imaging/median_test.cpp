// Medians of values that are not kept.
#include "ardent/imaging/median.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/random.h"

namespace ardent {
namespace {

constexpr std::size_t kMany = 4'300'000;  // more than are kept

Values in_blocks(const std::vector<double>& values) {
  return [&values](const SomeValues& visit) {
    for (std::size_t at = 0; at < values.size(); at += 99'991) {
      visit(std::span(values).subspan(at, std::min<std::size_t>(99'991, values.size() - at)));
    }
  };
}

TEST(Median, OfManyValuesIsThatOfAllOfThem) {
  Random random(1);
  std::vector<double> values;
  for (std::size_t k = 0; k < kMany; ++k) values.push_back(3 + random.normal());
  EXPECT_EQ(median_of(in_blocks(values)), median(values));
  values.push_back(-1e300);
  EXPECT_EQ(median_of(in_blocks(values)), median(values));
}

TEST(Median, OfValuesThatAreMostlyAlikeIsFound) {
  std::vector<double> values(kMany, -2.5);
  EXPECT_EQ(median_of(in_blocks(values)), -2.5);
  std::fill_n(values.begin(), kMany / 2, 1e-300);  // half of them: the mean of both
  EXPECT_EQ(median_of(in_blocks(values)), 0.5 * (-2.5 + 1e-300));
  EXPECT_TRUE(std::isnan(median_of(in_blocks({}))));
}

TEST(Median, ClippedLeavesOutWhatIsFarOff) {
  std::vector<double> values;
  for (int k = 1; k <= 101; ++k) values.push_back(k);
  EXPECT_EQ(clipped_median(values), 51);
  for (int k = 0; k < 40; ++k) values.push_back(1e6);
  for (int k = 0; k < 40; ++k) values.push_back(NAN);
  EXPECT_EQ(clipped_median(values), 51);
  EXPECT_TRUE(std::isnan(clipped_median({NAN, INFINITY})));
}

}  // namespace
}  // namespace ardent
