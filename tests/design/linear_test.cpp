#include "ardent/design/linear.h"

#include "ardent/design/dense.h"
#include "ardent/design/sparse.h"
#include "tests/design/brute_force.h"

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

}  // namespace
}  // namespace ardent
