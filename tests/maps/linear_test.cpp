#include "ardent/maps/linear.h"

#include "ardent/design/dense.h"
#include "ardent/design/sparse.h"
#include "tests/design/brute_force.h"
#include "tests/maps/map_checks.h"

namespace ardent {
namespace {

TEST(LinearDesign, DenseAndSparseFeaturesGiveTheSameMatrix) {
  const Matrix x = problems::random_matrix(600, 30, 1, 0.4);
  const auto dense = linear_design(problems::dense_rows(x));
  const auto sparse = linear_design(problems::sparse_rows(x));
  EXPECT_NE(dynamic_cast<const DenseDesign*>(dense.get()), nullptr);
  EXPECT_NE(dynamic_cast<const SparseDesign*>(sparse.get()), nullptr);
  brute_force::expect_design(*dense, x);
  brute_force::expect_design(*sparse, x);
}

TEST(LinearDesign, FeaturesWithoutRowsOrColumns) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{0, 3}, {3, 0}}) {
    const Matrix x(rows, cols);
    brute_force::expect_operations(*linear_design(problems::dense_rows(x)), x);
    brute_force::expect_operations(*linear_design(problems::sparse_rows(x)), x);
  }
}

TEST(LinearMap, IsBuiltSavedAndLoaded) {
  const Features rows = problems::dense_rows(problems::random_matrix(12, 5, 1));
  const auto map = find_map("linear")->build({rows, index_range(0, 12), {0, 2, 3, 7, 8}}, {});
  expect_map(*map, rows);
  EXPECT_TRUE(map->linear());
  EXPECT_EQ(map->origin(), (std::vector<Index>{0, 2, 3, 7, 8}));
}

TEST(LinearMap, KeptBasisFunctionsAreTheInputsThatAreLeft) {
  const Matrix x = problems::random_matrix(12, 5, 2);
  const MapPointer few = LinearMap({0, 2, 3, 7, 8}).restricted(std::vector<Index>{1, 4});
  EXPECT_EQ(few->origin(), (std::vector<Index>{2, 8}));
  EXPECT_NO_THROW(few->check(2));
  EXPECT_EQ(few->values(problems::dense_rows(x.leftCols(2))), x.leftCols(2));
}
}  // namespace
}  // namespace ardent
