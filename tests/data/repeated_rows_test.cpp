#include "ardent/data/repeated_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "problems/random_matrix.h"

namespace ardent {
namespace {

using ::testing::ElementsAre;

TEST(RepeatedRows, TheFirstCopyOfEachRowIsFoundDenseAndSparse) {
  Matrix x(6, 3);
  x << 1, 0, 2,  //
      0, 0, 0,   //
      1, 0, 2,   //
      2, 0, 1,   //
      0, 0, 0,   //
      1, 2, 0;
  const Features dense = problems::dense_rows(x);
  EXPECT_THAT(first_copies(dense), ElementsAre(0, 1, 0, 3, 1, 5));
  EXPECT_THAT(first_copies(to_sparse(std::get<DenseRows>(dense))), ElementsAre(0, 1, 0, 3, 1, 5));
  EXPECT_TRUE(first_copies(DenseRows{}).empty());
}

TEST(RepeatedRows, RanksAreThoseOfTheContentsInWhateverOrderRowsAreGiven) {
  Matrix x(4, 2);
  x << 1, 2, 3, 4, 1, 2, 0, 5;
  const std::vector<Index> ranks = content_ranks(problems::dense_rows(x));
  EXPECT_EQ(ranks[0], ranks[2]);
  EXPECT_THAT((std::vector{ranks[0], ranks[1], ranks[3]}), testing::UnorderedElementsAre(0, 1, 2));
  const std::vector<Index> turned = content_ranks(problems::dense_rows(x.colwise().reverse()));
  EXPECT_THAT(turned, ElementsAre(ranks[3], ranks[2], ranks[1], ranks[0]));
}

}  // namespace
}  // namespace ardent
