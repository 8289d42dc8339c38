// The tfidf scaling: values by hand, the formula by brute force, and what selecting columns must
// not lose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/data/scaling.h"
#include "problems/random_matrix.h"

namespace ardent {
namespace {

using problems::matrix_of;

using problems::dense_rows;
using problems::random_matrix;
using problems::sparse_rows;

constexpr double kFloatPrecision = 1e-6;  // a few roundings to float32

/// idf and unit rows written as the formula says, in double throughout.
Matrix by_formula(const Matrix& train, const Matrix& x) {
  const auto n = static_cast<double>(train.rows());
  Matrix result = x;
  for (Index k = 0; k < x.cols(); ++k) {
    const auto df = static_cast<double>((train.col(k).array() != 0).count());
    result.col(k) *= std::log((1 + n) / (1 + df)) + 1;
  }
  for (Index i = 0; i < x.rows(); ++i) {
    if (result.row(i).norm() > 0) result.row(i) /= result.row(i).norm();
  }
  return result;
}

TEST(Tfidf, ValuesByHand) {
  // df = 2, 1, 0 of N = 2 rows: idf = 1, ln(3/2) + 1, ln 3 + 1.
  Matrix x(2, 3);
  x << 3, 0, 0,  //
      2, 1, 0;
  const std::vector<Features> both{dense_rows(x), sparse_rows(x)};
  for (const Features& features : both) {
    const Scaling scaling = fit_scaling(features, ScaleKind::tfidf);
    EXPECT_NEAR(scaling.factor[0], 1, 1e-7);
    EXPECT_NEAR(scaling.factor[1], 1.405465108, 1e-7);
    EXPECT_NEAR(scaling.factor[2], 2.098612289, 1e-7);
    const Matrix scaled = matrix_of(apply_scaling(features, scaling));
    EXPECT_NEAR(scaled(0, 0), 1, 1e-7);
    // Length √(2² + 1.405465²) = 2.444449.
    EXPECT_NEAR(scaled(1, 0), 0.8181802, 1e-6);
    EXPECT_NEAR(scaled(1, 1), 0.5749619, 1e-6);
    EXPECT_EQ(scaled(1, 2), 0);
  }
}

TEST(Tfidf, AgreesWithTheFormulaOnNewRowsDenseAndSparse) {
  Matrix train = random_matrix(3000, 60, 1, 0.2);
  train.col(7).setZero();  // a word that only new rows have
  const Matrix fresh = random_matrix(500, 60, 2, 0.2);
  ASSERT_GT(fresh.col(7).norm(), 0);
  const Matrix expected = by_formula(train, fresh);
  for (const bool sparse : {false, true}) {
    const Features rows = sparse ? Features(sparse_rows(train)) : Features(dense_rows(train));
    const Features news = sparse ? Features(sparse_rows(fresh)) : Features(dense_rows(fresh));
    const Scaling scaling = fit_scaling(rows, ScaleKind::tfidf);
    const Matrix scaled = matrix_of(apply_scaling(news, scaling));
    EXPECT_LT((scaled - expected).cwiseAbs().maxCoeff(), kFloatPrecision);
  }
}

TEST(Tfidf, ZerosThatSparseRowsStoreAreNoOccurrences) {
  SparseRows sparse = sparse_rows(Matrix::Ones(4, 2));
  float* values = sparse.values.mutable_data();
  values[0] = values[2] = 0;  // column 1 of rows 1 and 2
  const Scaling scaling = fit_scaling(sparse, ScaleKind::tfidf);
  EXPECT_NEAR(scaling.factor[0], std::log(5.0 / 3) + 1, 1e-7);
  EXPECT_NEAR(scaling.factor[1], 1, 1e-7);
}

TEST(Tfidf, RowsOfZerosStayZeroAndHugeOnesDoNotOverflow) {
  Matrix x(3, 2);
  x << 0, 0,  //
      3e300, 4e300, 3e-310, 4e-310;
  const Features features = dense_rows(x);
  Scaling scaling = fit_scaling(features, ScaleKind::tfidf);
  const Matrix scaled = matrix_of(apply_scaling(features, scaling));
  EXPECT_EQ(scaled.row(0).norm(), 0);
  for (const Index i : {1, 2}) {
    EXPECT_NEAR(scaled(i, 0), 0.6, 1e-12);
    EXPECT_NEAR(scaled(i, 1), 0.8, 1e-12);
  }
  SparseRows empty = sparse_rows(Matrix::Zero(3, 2));
  EXPECT_EQ(matrix_of(apply_scaling(empty, scaling)).norm(), 0);
}

TEST(Tfidf, SelectedColumnsKeepTheLengthOfTheWholeRow) {
  const Matrix x = random_matrix(400, 50, 3, 0.3);
  const std::vector<Index> few{2, 11, 49};
  const std::vector<Features> both{dense_rows(x), sparse_rows(x)};
  for (const Features& features : both) {
    const Scaling whole = fit_scaling(features, ScaleKind::tfidf);
    const Matrix all = matrix_of(apply_scaling(features, whole));
    const Scaling selected = select_columns(whole, few);
    const Features columns = select_columns(features, few);
    const Matrix scaled =
        matrix_of(apply_scaling(columns, selected, row_lengths(features, selected)));
    for (std::size_t k = 0; k < few.size(); ++k) {
      EXPECT_EQ(scaled.col(k), all.col(few[k])) << "bit for bit";
    }
    EXPECT_THROW(apply_scaling(columns, selected), InputError) << "the length is not known";
    EXPECT_THROW(apply_scaling(columns, selected, Vector::Ones(399)), InputError);
  }
}

TEST(Tfidf, LengthsOfNarrowerAndWiderRowsCountWhatTrainingKnew) {
  const Matrix x = random_matrix(50, 10, 4, 0.5);
  const Scaling scaling = fit_scaling(sparse_rows(x), ScaleKind::tfidf);
  Matrix wide = random_matrix(50, 13, 5);
  wide.leftCols(10) = x;
  Matrix cut = x;
  cut.rightCols(4).setZero();
  const Matrix narrow = x.leftCols(6);
  const auto lengths = [&](const Matrix& m, bool sparse) -> Vector {
    return sparse ? row_lengths(sparse_rows(m), scaling) : row_lengths(dense_rows(m), scaling);
  };
  for (const bool sparse : {false, true}) {
    EXPECT_LT((lengths(wide, sparse) - lengths(x, sparse)).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((lengths(narrow, sparse) - lengths(cut, sparse)).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(Tfidf, PatternIsSharedAndTheTransposeAtHandIsScaledToTheSameBits) {
  SparseRows sparse = sparse_rows(random_matrix(3000, 200, 6, 0.1));
  sparse.transpose = std::make_shared<SparseRows>(transposed(sparse));
  const Scaling scaling = fit_scaling(sparse, ScaleKind::tfidf);
  const auto scaled = std::get<SparseRows>(apply_scaling(sparse, scaling));
  EXPECT_EQ(scaled.columns.data(), sparse.columns.data());
  EXPECT_EQ(scaled.offsets.data(), sparse.offsets.data());
  ASSERT_TRUE(scaled.transpose);
  EXPECT_EQ(scaled.transpose->columns.data(), sparse.transpose->columns.data());
  SparseRows alone = scaled;
  alone.transpose = nullptr;
  const SparseRows expected = transposed(alone);
  EXPECT_TRUE(std::ranges::equal(scaled.transpose->values.span(), expected.values.span()));
}

TEST(Tfidf, SameBitsForAnyNumberOfThreads) {
  const SparseRows sparse = sparse_rows(random_matrix(5000, 100, 7, 0.2));
  const auto scaled_values = [&](int count) {
    const ThreadScope threads(count);
    const Scaling scaling = fit_scaling(sparse, ScaleKind::tfidf);
    return std::get<SparseRows>(apply_scaling(sparse, scaling)).values;
  };
  const auto serial = scaled_values(1);
  for (const int count : {2, 8}) {
    EXPECT_TRUE(std::ranges::equal(scaled_values(count).span(), serial.span()));
  }
}

}  // namespace
}  // namespace ardent
