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

}  // namespace
}  // namespace ardent
