#include "ardent/data/matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/base/random.h"
#include "ardent/data/dataset.h"
#include "problems/random_matrix.h"

namespace ardent {
namespace {

using problems::dense_rows;

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class T>
std::vector<T> listed(const Buffer<T>& buffer) {
  return {buffer.begin(), buffer.end()};
}

/// Random values of which about `density` are not zero; small integers, exact in float32.
DenseRows random_rows(Index rows, Index cols, double density, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(rows * cols);
  for (double& v : values) {
    if (random.uniform() < density) v = static_cast<double>(random.below(100)) - 50;
  }
  return dense_rows(rows, cols, values);
}

DenseRows transposed_by_hand(const DenseRows& dense) {
  std::vector<double> values;
  for (Index k = 0; k < dense.cols; ++k) {
    for (Index i = 0; i < dense.rows; ++i) values.push_back(dense.row(i)[static_cast<size_t>(k)]);
  }
  return dense_rows(dense.cols, dense.rows, values);
}

void expect_same(const SparseRows& a, const SparseRows& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.cols, b.cols);
  EXPECT_EQ(listed(a.offsets), listed(b.offsets));
  EXPECT_EQ(listed(a.columns), listed(b.columns));
  EXPECT_EQ(listed(a.values), listed(b.values));
}

TEST(Matrix, SparseHoldsTheNonZerosOfTheDenseRows) {
  const SparseRows sparse = to_sparse(dense_rows(3, 3, {0, 2, 0, 0, 0, 0, -1, 0, 0.5}));
  EXPECT_EQ(sparse.rows, 3);
  EXPECT_EQ(sparse.cols, 3);
  EXPECT_THAT(listed(sparse.offsets), ElementsAre(0, 1, 1, 3));
  EXPECT_THAT(listed(sparse.columns), ElementsAre(1, 0, 2));
  EXPECT_THAT(listed(sparse.values), ElementsAre(2.0f, -1.0f, 0.5f));
  EXPECT_EQ(stored(Features(sparse)), 3);
}

TEST(Matrix, DenseToSparseAndBackIsTheSame) {
  const DenseRows dense = random_rows(2500, 37, 0.2, 1);
  EXPECT_EQ(listed(to_dense(to_sparse(dense)).values), listed(dense.values));
}

TEST(Matrix, ValueBeyondFloat32IsRefusedWithItsPlace) {
  try {
    to_sparse(dense_rows(2, 2, {0, 1, 0, 1e300}));
    FAIL() << "1e300 became a float";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("row 2, column 2"));
  }
}

TEST(Matrix, DenseRowsBeyondTheLimitAreRefusedWithTheirSize) {
  const SparseRows sparse = to_sparse(dense_rows(2, 3, {1, 0, 0, 0, 1, 0}));
  EXPECT_NO_THROW(to_dense(sparse, 48));
  EXPECT_THROW(to_dense(sparse, 47), InputError);
  SparseRows huge = sparse;
  huge.cols = Index{1} << 32;  // 2 rows × 2^32 columns × 8 bytes
  try {
    to_dense(huge);
    FAIL() << "64 GiB were allocated";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("64.0 GiB"));
  }
}

TEST(Matrix, SelectedRowsComeInTheOrderAskedForAndMayRepeat) {
  const DenseRows dense = random_rows(50, 9, 0.4, 2);
  const std::vector<Index> which{49, 0, 7, 7};
  const auto from_dense = std::get<DenseRows>(select_rows(Features(dense), which));
  ASSERT_EQ(from_dense.rows, 4);
  for (Index i = 0; i < 4; ++i) {
    const auto expected = dense.row(which[i]);
    EXPECT_TRUE(std::ranges::equal(from_dense.row(i), expected));
  }
  const auto from_sparse = std::get<SparseRows>(select_rows(Features(to_sparse(dense)), which));
  expect_same(from_sparse, to_sparse(from_dense));
}

TEST(Matrix, SelectedColumnsAreTheSameFromDenseAndSparse) {
  const DenseRows dense = random_rows(3000, 20, 0.3, 3);
  const std::vector<Index> which{0, 3, 4, 19};
  const auto from_dense = std::get<DenseRows>(select_columns(Features(dense), which));
  for (Index i = 0; i < dense.rows; ++i) {
    for (std::size_t k = 0; k < which.size(); ++k) {
      ASSERT_EQ(from_dense.row(i)[k], dense.row(i)[which[k]]);
    }
  }
  const auto from_sparse = std::get<SparseRows>(select_columns(Features(to_sparse(dense)), which));
  expect_same(from_sparse, to_sparse(from_dense));
}

TEST(Matrix, SelectingAllColumnsCopiesNothing) {
  const SparseRows sparse = to_sparse(random_rows(10, 4, 0.5, 4));
  const std::vector<Index> all{0, 1, 2, 3};
  const auto selected = std::get<SparseRows>(select_columns(Features(sparse), all));
  EXPECT_EQ(selected.values.data(), sparse.values.data());
}

TEST(Matrix, RowsAndColumnsThatDoNotExistAreRefused) {
  const Features features = random_rows(5, 4, 1, 5);
  EXPECT_THROW(select_rows(features, std::vector<Index>{5}), InputError);
  EXPECT_THROW(select_rows(features, std::vector<Index>{-1}), InputError);
  EXPECT_THROW(select_columns(features, std::vector<Index>{4}), InputError);
  EXPECT_THROW(select_columns(features, std::vector<Index>{2, 1}), InputError);
  EXPECT_THROW(select_columns(features, std::vector<Index>{1, 1}), InputError);
}

TEST(Matrix, TransposeMatchesTheDenseTranspose) {
  // Large enough that several blocks of rows share the work; few columns, and so many that
  // several share a bucket, the last bucket not full.
  for (const auto& [rows, cols] : {std::pair<Index, Index>{4001, 100}, {150, 3001}}) {
    const DenseRows dense = random_rows(rows, cols, 0.5, 6);
    const SparseRows sparse = to_sparse(dense);
    ASSERT_GT(balanced_row_blocks(sparse, 16).size(), 3u);
    expect_same(transposed(sparse), to_sparse(transposed_by_hand(dense)));
  }
}

TEST(Matrix, TransposeIsTheSameForAnyNumberOfThreads) {
  const SparseRows sparse = to_sparse(random_rows(300, 2000, 0.5, 7));
  const ThreadScope one(1);
  const SparseRows serial = transposed(sparse);
  for (const int count : {2, 8}) {
    const ThreadScope several(count);
    expect_same(transposed(sparse), serial);
  }
}

TEST(Matrix, TransposeOfEmptyMatricesIsEmpty) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{0, 0}, {0, 5}, {5, 0}, {3, 4}}) {
    const std::vector<double> zeros(rows * cols, 0.0);
    const SparseRows result = transposed(to_sparse(dense_rows(rows, cols, zeros)));
    EXPECT_EQ(result.rows, cols);
    EXPECT_EQ(result.cols, rows);
    EXPECT_EQ(result.nonzeros(), 0);
    EXPECT_EQ(result.offsets.size(), static_cast<std::size_t>(cols) + 1);
  }
  EXPECT_EQ(transposed(SparseRows{}).rows, 0);
}

TEST(Matrix, RowBlocksCoverEveryRowOnceWhereOneRowHoldsMostEntries) {
  std::vector<std::uint64_t> offsets{0, 10, 1000000, 1000010, 1000010};
  SparseRows sparse;
  sparse.rows = 4;
  sparse.cols = 10;
  sparse.offsets = Buffer<std::uint64_t>::copy_of(offsets);
  sparse.columns = Buffer<std::uint32_t>::allocate(1000010);
  const std::vector<Index> bounds = balanced_row_blocks(sparse, 16);
  EXPECT_EQ(bounds.front(), 0);
  EXPECT_EQ(bounds.back(), 4);
  EXPECT_EQ(std::ranges::adjacent_find(bounds, std::greater_equal<>{}), bounds.end());
}

TEST(Dataset, SelectedRowsKeepLabelsAndNamesTogether) {
  Dataset data{.features = dense_rows(3, 1, {10, 20, 30}),
               .labels = make_labels(std::vector<double>{1, 2, 3}),
               .feature_names = {"height"},
               .source = "file"};
  const Dataset selected = select_rows(data, std::vector<Index>{2, 0});
  EXPECT_THAT(listed(std::get<DenseRows>(selected.features).values), ElementsAre(30, 10));
  EXPECT_THAT(selected.labels.numbers, ElementsAre(3, 1));
  EXPECT_THAT(selected.labels.names, ElementsAre("3", "1"));
  EXPECT_EQ(feature_name(selected, 0), "height");
  data.feature_names.clear();
  data.labels = {};
  EXPECT_EQ(feature_name(data, 6), "feature 7");
  EXPECT_TRUE(select_rows(data, std::vector<Index>{1}).labels.empty());
}

}  // namespace
}  // namespace ardent
