#include "ardent/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

namespace ardent {
namespace {

// Computed with another implementation (of xoshiro256++ and splitmix64, in Python), itself checked
// against the authors' published sequence. A change here changes every seeded result.
TEST(Random, GivesTheReferenceSequence) {
  Random zero(0);
  EXPECT_EQ(zero.bits(), 0x84f09bf307c1073au);
  EXPECT_EQ(zero.bits(), 0xc82ffb597ceee51bu);
  EXPECT_EQ(zero.bits(), 0xadf96905c5df4417u);
  Random other(42, 7);
  EXPECT_EQ(other.bits(), 0x530fbd4d8d52bc36u);
  EXPECT_EQ(other.bits(), 0x055da08d5d02a7b3u);
  EXPECT_EQ(other.bits(), 0xf0e2687357b69173u);
}

TEST(Random, StreamsAndSeedsDiffer) {
  std::vector<std::uint64_t> first;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (std::uint64_t stream = 0; stream < 40; ++stream)
      first.push_back(Random(seed, stream).bits());
  }
  std::sort(first.begin(), first.end());
  EXPECT_EQ(std::adjacent_find(first.begin(), first.end()), first.end());
}

TEST(Random, NeighbouringStreamsAreUncorrelated) {
  Random a(5, 0), b(5, 1);
  const int count = 100000;
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += a.normal() * b.normal();
  EXPECT_NEAR(sum / count, 0, 5 / std::sqrt(count));
}

TEST(Random, UniformLiesInItsRangeWithItsMoments) {
  Random random(1);
  const int count = 200000;
  double sum = 0, squares = 0, least = 1, largest = 0;
  for (int i = 0; i < count; ++i) {
    const double u = random.uniform();
    sum += u;
    squares += u * u;
    least = std::min(least, u);
    largest = std::max(largest, u);
  }
  EXPECT_GE(least, 0);
  EXPECT_LT(least, 1e-3);
  EXPECT_LT(largest, 1);
  EXPECT_GT(largest, 1 - 1e-3);
  EXPECT_NEAR(sum / count, 0.5, 5 * std::sqrt(1 / 12.0 / count));
  EXPECT_NEAR(squares / count, 1 / 3.0, 5 * std::sqrt(4 / 45.0 / count));
  for (int i = 0; i < 1000; ++i) {
    const double u = random.uniform(-3, -2);
    EXPECT_GE(u, -3);
    EXPECT_LT(u, -2);
  }
}

TEST(Random, BelowIsUniform) {
  Random random(2);
  const int count = 60000;
  std::array<int, 6> seen{};
  for (int i = 0; i < count; ++i) ++seen[random.below(6)];
  double chi_square = 0;
  for (const int s : seen) chi_square += (s - 10000.0) * (s - 10000.0) / 10000;
  EXPECT_LT(chi_square, 30);  // 5 degrees of freedom: exceeded with probability 1e-5
  for (int i = 0; i < 10; ++i) EXPECT_EQ(random.below(1), 0);
  // A plain remainder would favour the lower half of this range by a third.
  const Index large = (Index{1} << 62) + (Index{1} << 61);
  int lower = 0;
  for (int i = 0; i < count; ++i) lower += random.below(large) < large / 2;
  EXPECT_NEAR(lower, count / 2, 5 * std::sqrt(count / 4.0));
}

TEST(Random, NormalHasTheMomentsAndTailsOfANormal) {
  Random random(3);
  const int count = 200000;
  double sum = 0, squares = 0, fourth = 0;
  int beyond_two = 0;
  for (int i = 0; i < count; ++i) {
    const double z = random.normal();
    sum += z;
    squares += z * z;
    fourth += z * z * z * z;
    beyond_two += std::abs(z) > 2;
  }
  EXPECT_NEAR(sum / count, 0, 5 / std::sqrt(count));
  EXPECT_NEAR(squares / count, 1, 5 * std::sqrt(2.0 / count));
  EXPECT_NEAR(fourth / count, 3, 5 * std::sqrt(96.0 / count));
  EXPECT_NEAR(beyond_two / static_cast<double>(count), std::erfc(std::sqrt(2.0)), 0.003);
}

TEST(Random, ShuffleGivesEachOrderEquallyOften) {
  Random random(4);
  std::map<std::vector<int>, int> seen;
  for (int i = 0; i < 24000; ++i) {
    std::vector<int> items{1, 2, 3, 4};
    random.shuffle(items);
    ++seen[items];
  }
  ASSERT_EQ(seen.size(), 24u);
  double chi_square = 0;
  for (const auto& [order, count] : seen) chi_square += (count - 1000.0) * (count - 1000.0) / 1000;
  EXPECT_LT(chi_square, 61);  // 23 degrees of freedom: exceeded with probability 3e-5
  std::vector<int> none;
  random.shuffle(none);
  EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace ardent
