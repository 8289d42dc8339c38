#include "ardent/design/sparse.h"

#include "tests/design/brute_force.h"

namespace ardent {
namespace {

using brute_force::expect_design;
using brute_force::expect_same_bits;
using problems::random_matrix;
using problems::sparse_rows;

// The Gram matrix has two ways, for rows that are nearly empty and for rows that are nearly full.
TEST(SparseDesign, EveryOperationMatchesPlainArithmeticAtAnyDensity) {
  for (const double density : {0.01, 0.1, 0.4, 1.0}) {
    SCOPED_TRACE(density);
    const Matrix phi = random_matrix(83, 61, 1, density);
    expect_design(SparseDesign(sparse_rows(phi)), phi);
  }
}

TEST(SparseDesign, SeveralBlocksMatchPlainArithmetic) {
  const Matrix phi = random_matrix(700, 400, 2, 0.05);
  expect_design(SparseDesign(sparse_rows(phi)), phi);
  const Matrix full = random_matrix(300, 400, 3, 0.9);
  expect_design(SparseDesign(sparse_rows(full)), full);
}

TEST(SparseDesign, EmptyRowsAndEmptyColumnsAreZeros) {
  Matrix phi = random_matrix(40, 30, 4, 0.3);
  phi.topRows(3).setZero();
  phi.row(20).setZero();
  phi.bottomRows(2).setZero();
  phi.leftCols(2).setZero();
  phi.col(15).setZero();
  phi.rightCols(4).setZero();
  expect_design(SparseDesign(sparse_rows(phi)), phi);
  const Matrix nothing = Matrix::Zero(9, 6);
  expect_design(SparseDesign(sparse_rows(nothing)), nothing);
}

TEST(SparseDesign, OneRowOneColumnNoColumnsNoRows) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{1, 7}, {7, 1}, {1, 1}, {4, 0}, {0, 4}}) {
    const Matrix phi = random_matrix(rows, cols, 5, 0.7);
    expect_design(SparseDesign(sparse_rows(phi)), phi);
  }
}

TEST(SparseDesign, ATransposeAtHandIsUsedAndGivesTheSame) {
  const Matrix phi = random_matrix(30, 20, 6, 0.3);
  SparseRows rows = sparse_rows(phi);
  const auto transpose = std::make_shared<const SparseRows>(sparse_rows(phi.transpose()));
  rows.transpose = transpose;
  expect_design(SparseDesign(rows), phi);
}

TEST(SparseDesign, PruningReleasesTheMemoryOfDroppedColumns) {
  const Matrix phi = random_matrix(50, 20, 7, 0.5);
  auto owner = std::make_shared<const SparseRows>(sparse_rows(phi));
  SparseRows rows = *owner;
  rows.values = Buffer<float>::view(owner, owner->values.data(), owner->values.size());
  rows.transpose = std::make_shared<const SparseRows>(sparse_rows(phi.transpose()));
  const std::weak_ptr<const SparseRows> rows_alive = owner;
  const std::weak_ptr<const SparseRows> transpose_alive = rows.transpose;
  SparseDesign design(std::move(rows));
  owner.reset();
  EXPECT_TRUE(transpose_alive.expired()) << "of the transpose only the buffers are held";
  ASSERT_FALSE(rows_alive.expired());
  design.keep(std::vector<Index>{3, 4});
  EXPECT_TRUE(rows_alive.expired());
  EXPECT_EQ(design.nonzeros(), (phi.middleCols(3, 2).array() != 0).count());
}

TEST(SparseDesign, SameBitsForAnyNumberOfThreads) {
  const SparseRows few = sparse_rows(random_matrix(900, 1200, 8, 0.02));
  const SparseRows full = sparse_rows(random_matrix(700, 500, 9, 0.5));
  std::vector<Index> even;
  for (Index k = 0; k < 500; k += 2) even.push_back(k);
  for (const SparseRows* rows : {&few, &full}) {
    expect_same_bits([&] { return std::make_unique<SparseDesign>(*rows); });
    expect_same_bits([&] {
      auto design = std::make_unique<SparseDesign>(*rows);
      design->keep(even);
      return design;
    });
  }
}

TEST(SparseDesign, OneColumnWithMostEntriesDoesNotUpsetTheBlocks) {
  Matrix phi = random_matrix(70000, 3, 10, 0.001);
  phi.col(1).setOnes();
  const SparseDesign design(sparse_rows(phi));
  const Vector r = problems::random_vector(70000, 11);
  Vector out;
  design.multiply_transposed(r, out);
  brute_force::expect_near(out, phi.transpose() * r, 1e-12, "Phiᵀ r");
  design.multiply(Vector{{1, 2, 3}}, out);
  brute_force::expect_near(out, phi * Vector{{1, 2, 3}}, 1e-12, "Phi w");
}

}  // namespace
}  // namespace ardent
