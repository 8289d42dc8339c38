#include "ardent/data/folds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "ardent/base/error.h"

namespace ardent {
namespace {

const std::vector<std::uint32_t> kClasses = [] {
  std::vector<std::uint32_t> classes(103, 0);
  std::fill(classes.begin() + 60, classes.begin() + 90, 1);  // 60, 30 and 13 rows
  std::fill(classes.begin() + 90, classes.end(), 2);
  return classes;
}();

TEST(Folds, EveryRowIsTestedOnceAndTrainedInAllOtherFolds) {
  const auto splits = stratified_folds(kClasses, 5, 7);
  ASSERT_EQ(splits.size(), 5u);
  std::vector<int> tested(kClasses.size(), 0);
  for (const Split& split : splits) {
    EXPECT_TRUE(std::ranges::is_sorted(split.train));
    EXPECT_TRUE(std::ranges::is_sorted(split.test));
    std::vector<Index> all;
    std::ranges::merge(split.train, split.test, std::back_inserter(all));
    ASSERT_EQ(all.size(), kClasses.size());
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], static_cast<Index>(i));
    for (const Index i : split.test) ++tested[i];
  }
  EXPECT_TRUE(std::ranges::all_of(tested, [](int times) { return times == 1; }));
}

TEST(Folds, EveryFoldHasItsShareOfEachClassToWithinOneRow) {
  for (const Split& split : stratified_folds(kClasses, 5, 7)) {
    std::map<std::uint32_t, int> count;
    for (const Index i : split.test) ++count[kClasses[i]];
    EXPECT_EQ(count[0], 12);
    EXPECT_EQ(count[1], 6);
    EXPECT_TRUE(count[2] == 2 || count[2] == 3) << count[2];
    EXPECT_NEAR(static_cast<double>(split.test.size()), 20.6, 0.7);
  }
}

TEST(Folds, TheSeedDecidesTheFolds) {
  const auto first = stratified_folds(kClasses, 5, 7);
  EXPECT_EQ(first[0].test, stratified_folds(kClasses, 5, 7)[0].test);
  EXPECT_NE(first[0].test, stratified_folds(kClasses, 5, 8)[0].test);
}

TEST(Folds, ClassWithFewerRowsThanFoldsIsRefused) {
  EXPECT_NO_THROW(stratified_folds(kClasses, 13, 1));
  EXPECT_THROW(stratified_folds(kClasses, 14, 1), InputError);
}

TEST(Folds, FoldsMustBeFromTwoToTheNumberOfRows) {
  EXPECT_THROW(shuffled_folds(10, 1, 0), InputError);
  EXPECT_THROW(shuffled_folds(10, 11, 0), InputError);
  const auto leave_one_out = shuffled_folds(10, 10, 0);
  for (const Split& split : leave_one_out) EXPECT_EQ(split.test.size(), 1u);
}

}  // namespace
}  // namespace ardent
