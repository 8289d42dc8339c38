#include "ardent/design/row_subset.h"

#include "ardent/base/index_range.h"
#include "tests/design/brute_force.h"

namespace ardent {
namespace {

using brute_force::expect_design;
using brute_force::expect_near;
using brute_force::expect_same_bits;
using problems::random_matrix;

const std::vector<std::vector<Index>> kHeldOut{{1, 4, 9}, {0, 2, 10, 11}, {3, 5, 6, 7, 8}};

std::vector<Index> known_rows(Index fold) {
  std::vector<Index> rows;
  for (Index i = 0; i < 12; ++i) {
    const bool out =
        fold >= 0 && std::ranges::count(kHeldOut[static_cast<std::size_t>(fold)], i) > 0;
    if (!out) rows.push_back(i);
  }
  return rows;
}

struct Folds {
  std::shared_ptr<const Matrix> phi;
  Vector row_weights = problems::random_vector(12, 2).cwiseAbs();
  std::shared_ptr<FoldSums> sums;

  explicit Folds(Index columns)
      : phi(std::make_shared<const Matrix>(random_matrix(12, columns, 1))) {
    sums = std::make_shared<FoldSums>(phi, row_weights, kHeldOut);
  }
  std::unique_ptr<RowSubset> fold(Index number) const {
    return std::make_unique<RowSubset>(sums, known_rows(number), number);
  }
};

TEST(RowSubset, EveryOperationMatchesPlainArithmetic) {
  const auto phi = std::make_shared<const Matrix>(random_matrix(57, 23, 1));
  const std::vector<Index> rows{0, 1, 5, 17, 18, 40, 56};
  expect_design(RowSubset(phi, rows), (*phi)(rows, Eigen::all));
  const Folds folds(17);
  for (Index f = FoldSums::kAllRows; f < 3; ++f) {
    expect_design(*folds.fold(f), (*folds.phi)(known_rows(f), Eigen::all));
  }
}

TEST(RowSubset, SumsOfTheFoldsOwnWeightsAreThoseOfItsRows) {
  const Folds folds(150);
  for (Index f = FoldSums::kAllRows; f < 3; ++f) {
    const auto design = folds.fold(f);
    const Vector factors = problems::random_vector(150, 3);
    design->scale_columns(factors);
    const Matrix own = (*folds.phi)(known_rows(f), Eigen::all) * factors.asDiagonal();
    const Vector weights = folds.row_weights(known_rows(f));
    Vector found;
    design->multiply_transposed(weights, found);
    expect_near(found, own.transpose() * weights, 1e-12, "sums");
    design->weighted_square_norms(weights, found);
    expect_near(found, own.cwiseAbs2().transpose() * weights, 1e-12, "squares");
    for (const Index k : {0, 149, 0}) {
      ASSERT_TRUE(design->kept_products(k, weights, found));
      expect_near(found, own.transpose() * weights.cwiseProduct(own.col(k)), 1e-12, "products");
    }
  }
}

TEST(RowSubset, KeepsNoProductsOfOtherWeightsNorOfDroppedColumns) {
  const Folds folds(20);
  const auto design = folds.fold(1);
  const Vector weights = folds.row_weights(known_rows(1));
  Vector found;
  EXPECT_FALSE(design->kept_products(3, 2 * weights, found));
  EXPECT_EQ(found.size(), 0);
  EXPECT_FALSE(RowSubset(folds.phi, known_rows(1)).kept_products(3, weights, found));
  design->keep(index_range(2, 9));
  EXPECT_FALSE(design->kept_products(3, weights, found));
  EXPECT_FALSE(DenseDesign(*folds.phi).kept_products(3, folds.row_weights, found));
}

TEST(RowSubset, ProductsDoNotDependOnWhoAsksFirst) {
  const Folds one(40), other(40);
  Vector first, second;
  ASSERT_TRUE(one.fold(0)->kept_products(7, one.row_weights(known_rows(0)), first));
  ASSERT_TRUE(one.fold(2)->kept_products(7, one.row_weights(known_rows(2)), first));
  ASSERT_TRUE(other.fold(2)->kept_products(7, one.row_weights(known_rows(2)), second));
  EXPECT_TRUE(first == second);
}

TEST(RowSubset, SameBitsForAnyNumberOfThreads) {
  expect_same_bits([] { return Folds(500).fold(1); });
  std::vector<Vector> products;
  for (const int count : {1, 8}) {
    const ThreadScope scope(count);
    const Folds folds(500);
    ASSERT_TRUE(
        folds.fold(0)->kept_products(3, folds.row_weights(known_rows(0)), products.emplace_back()));
  }
  EXPECT_TRUE(products[0] == products[1]);
}

}  // namespace
}  // namespace ardent
