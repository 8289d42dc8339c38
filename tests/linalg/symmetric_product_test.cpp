#include "ardent/linalg/symmetric_product.h"

#include <gtest/gtest.h>

#include "ardent/base/parallel.h"
#include "tests/problems/random_matrix.h"

namespace ardent {
namespace {

using problems::random_matrix;
using problems::random_vector;

struct Shape {
  Index inner, outer;
};

class SymmetricProduct : public testing::TestWithParam<Shape> {};

TEST_P(SymmetricProduct, AddsToWhatIsThereAndMatchesThePlainProduct) {
  const auto [inner, outer] = GetParam();
  const Matrix a = random_matrix(inner, outer, 1);
  const Vector weights = random_vector(inner, 2);  // of both signs
  const Matrix before = Matrix::Constant(outer, outer, 0.5);
  const Matrix wanted = before + Matrix(a.transpose() * weights.asDiagonal() * a);
  const double tolerance = 1e-13 * std::max<double>(1, static_cast<double>(inner));

  Matrix gram = before;
  add_weighted_gram(a, weights, gram);
  mirror_lower(gram);
  EXPECT_TRUE(gram.isApprox(wanted, tolerance));
  EXPECT_TRUE(gram == gram.transpose());

  Matrix outer_product = before;
  add_weighted_outer(a.transpose(), weights, outer_product);
  mirror_lower(outer_product);
  EXPECT_TRUE(outer_product.isApprox(wanted, tolerance));
}

TEST_P(SymmetricProduct, SameBitsForAnyNumberOfThreads) {
  const auto [inner, outer] = GetParam();
  const Matrix a = random_matrix(inner, outer, 3);
  const Vector weights = random_vector(inner, 4);
  std::vector<Matrix> results;
  for (const int count : {1, 2, 8}) {
    const ThreadScope scope(count);
    results.push_back(Matrix::Zero(outer, outer));
    add_weighted_gram(a, weights, results.back());
    mirror_lower(results.back());
  }
  EXPECT_TRUE(results[0] == results[1]);
  EXPECT_TRUE(results[0] == results[2]);
}

// No inner dimension, one panel, several panels and depths, sliced sums.
INSTANTIATE_TEST_SUITE_P(Shapes, SymmetricProduct,
                         testing::Values(Shape{0, 5}, Shape{1, 1}, Shape{3, 70}, Shape{40, 200},
                                         Shape{1100, 410}, Shape{13000, 130}));

}  // namespace
}  // namespace ardent
