#include "ardent/design/dense.h"

#include "tests/design/brute_force.h"

namespace ardent {
namespace {

using brute_force::expect_design;
using brute_force::expect_same_bits;
using problems::random_matrix;

TEST(DenseDesign, EveryOperationMatchesPlainArithmetic) {
  const Matrix phi = random_matrix(57, 23, 1);
  expect_design(DenseDesign(phi), phi);
}

TEST(DenseDesign, SeveralPanelsAndBlocksMatchPlainArithmetic) {
  const Matrix wide = random_matrix(60, 450, 2);
  expect_design(DenseDesign(wide), wide);
  const Matrix tall = random_matrix(600, 110, 3);
  expect_design(DenseDesign(tall), tall);
}

TEST(DenseDesign, ManyRowsAndFewColumnsAreSummedBySlices) {
  const Matrix phi = random_matrix(20000, 5, 4);
  const Vector beta = problems::random_vector(20000, 5).cwiseAbs();
  Matrix one, eight;
  {
    const ThreadScope scope(1);
    DenseDesign(phi).weighted_gram(beta, one);
  }
  const ThreadScope scope(8);
  DenseDesign(phi).weighted_gram(beta, eight);
  brute_force::expect_near(one, phi.transpose() * beta.asDiagonal() * phi, 1e-12, "Gram");
  EXPECT_EQ(one, eight);
}

TEST(DenseDesign, OneRowOneColumnNoColumnsNoRows) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{1, 7}, {7, 1}, {1, 1}, {4, 0}, {0, 4}}) {
    const Matrix phi = random_matrix(rows, cols, 6);
    expect_design(DenseDesign(phi), phi);
  }
}

TEST(DenseDesign, SameBitsForAnyNumberOfThreads) {
  expect_same_bits([] { return std::make_unique<DenseDesign>(random_matrix(300, 500, 7)); });
}

}  // namespace
}  // namespace ardent
