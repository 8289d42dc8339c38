#include "ardent/data/scaling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/base/random.h"
#include "problems/random_matrix.h"

namespace ardent {
namespace {

using problems::dense_rows;
using problems::matrix_of;

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Half zeros, quarters otherwise (exact in float32); column 0 has no zero, column 1 is constant,
/// column 2 is empty.
DenseRows mixed_rows(Index rows, std::uint64_t seed) {
  constexpr Index kCols = 40;
  Random random(seed);
  std::vector<double> values(rows * kCols);
  for (Index i = 0; i < rows; ++i) {
    double* row = values.data() + i * kCols;
    for (Index k = 0; k < kCols; ++k) {
      row[k] = random.uniform() < 0.5 ? 0 : static_cast<double>(random.below(400) + 1) / 4;
    }
    row[0] = 5 + random.normal();
    row[0] = static_cast<float>(row[0]);
    row[1] = 0.75;
    row[2] = 0;
  }
  return dense_rows(rows, kCols, values);
}

void expect_same_bits(const Vector& a, const Vector& b) {
  ASSERT_EQ(a.size(), b.size());
  for (Index k = 0; k < a.size(); ++k) EXPECT_EQ(a[k], b[k]) << "column " << k;
}

TEST(Scaling, MinmaxTakesEachColumnToMinusOneAndOne) {
  const Features features = mixed_rows(3000, 1);
  const Matrix scaled =
      matrix_of(apply_scaling(features, fit_scaling(features, ScaleKind::minmax)));
  for (Index k = 0; k < scaled.cols(); ++k) {
    const bool constant = k == 1 || k == 2;
    EXPECT_NEAR(scaled.col(k).minCoeff(), constant ? 0 : -1, 1e-15) << k;
    EXPECT_NEAR(scaled.col(k).maxCoeff(), constant ? 0 : 1, 1e-15) << k;
  }
}

TEST(Scaling, StandardGivesMeanZeroAndDeviationOne) {
  const Features features = mixed_rows(3000, 2);
  const Matrix scaled =
      matrix_of(apply_scaling(features, fit_scaling(features, ScaleKind::standard)));
  for (Index k = 0; k < scaled.cols(); ++k) {
    EXPECT_NEAR(scaled.col(k).mean(), 0, 1e-13) << k;
    EXPECT_NEAR(scaled.col(k).squaredNorm() / 3000, k == 1 || k == 2 ? 0 : 1, 1e-12) << k;
  }
}

TEST(Scaling, RmsGivesMeanSquareOneAndKeepsZerosZero) {
  const DenseRows dense = mixed_rows(3000, 3);
  const Scaling scaling = fit_scaling(dense, ScaleKind::rms);
  const Matrix scaled = matrix_of(apply_scaling(dense, scaling));
  const Matrix original = matrix_of(dense);
  EXPECT_EQ(scaling.offset.cwiseAbs().maxCoeff(), 0);
  EXPECT_EQ(scaling.factor[2], 0);
  for (Index k = 0; k < scaled.cols(); ++k) {
    EXPECT_NEAR(scaled.col(k).squaredNorm() / 3000, k == 2 ? 0 : 1, 1e-12) << k;
    EXPECT_EQ((scaled.col(k).array() == 0).count(), (original.col(k).array() == 0).count());
  }
}

TEST(Scaling, ZerosThatSparseRowsDoNotStoreCountInEveryStatistic) {
  const DenseRows dense = mixed_rows(4000, 4);
  const SparseRows sparse = to_sparse(dense);
  for (const ScaleKind kind : {ScaleKind::minmax, ScaleKind::standard, ScaleKind::rms}) {
    const Scaling from_dense = fit_scaling(dense, kind);
    const Scaling from_sparse = fit_scaling(sparse, kind);
    EXPECT_LT((from_sparse.offset - from_dense.offset).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((from_sparse.factor - from_dense.factor).cwiseAbs().maxCoeff(), 1e-12);
    const Matrix difference =
        matrix_of(apply_scaling(sparse, from_sparse)) - matrix_of(apply_scaling(dense, from_dense));
    EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-5) << scale_name(kind);  // float32 values
  }
}

TEST(Scaling, AutomaticIsMinmaxForDenseAndRmsForSparse) {
  const DenseRows dense = mixed_rows(100, 5);
  EXPECT_EQ(fit_scaling(dense, ScaleKind::automatic).kind, ScaleKind::minmax);
  EXPECT_EQ(fit_scaling(to_sparse(dense), ScaleKind::automatic).kind, ScaleKind::rms);
}

TEST(Scaling, ConstantColumnWhoseMeanRoundsGetsFactorZero) {
  const Features features = dense_rows(3, 1, {0.1, 0.1, 0.1});  // the sum is not 0.3 exactly
  for (const ScaleKind kind : {ScaleKind::standard, ScaleKind::minmax}) {
    const Scaling scaling = fit_scaling(features, kind);
    EXPECT_EQ(scaling.factor[0], 0);
    EXPECT_EQ(matrix_of(apply_scaling(features, scaling)).norm(), 0);
  }
}

TEST(Scaling, SmallDifferencesOnTopOfAMillionKeepTheirDigits) {
  const Features features = dense_rows(4, 1, {1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4});
  const Scaling scaling = fit_scaling(features, ScaleKind::standard);
  EXPECT_EQ(scaling.offset[0], 1e9 + 2.5);
  EXPECT_DOUBLE_EQ(scaling.factor[0], 1 / std::sqrt(1.25));
}

TEST(Scaling, HugeAndTinyValuesNeitherOverflowNorVanish) {
  // Each column is {−1, 0, 3} times its magnitude.
  const std::vector<double> magnitudes{1e6, 1e300, 5e307, 1e-200, 1e-300};
  const auto count = std::ssize(magnitudes);
  std::vector<double> values;
  for (const double x : {-1.0, 0.0, 3.0}) {
    for (const double m : magnitudes) values.push_back(x * m);
  }
  const Features features = dense_rows(3, count, values);
  const Features plain = dense_rows(3, 1, {-1, 0, 3});
  for (const ScaleKind kind : {ScaleKind::minmax, ScaleKind::standard, ScaleKind::rms}) {
    const Matrix scaled = matrix_of(apply_scaling(features, fit_scaling(features, kind)));
    const Matrix expected = matrix_of(apply_scaling(plain, fit_scaling(plain, kind)));
    for (Index k = 0; k < count; ++k) {
      EXPECT_LT((scaled.col(k) - expected).cwiseAbs().maxCoeff(), 1e-14)
          << scale_name(kind) << " of magnitude " << magnitudes[k];
    }
  }
}

TEST(Scaling, SameBitsForAnyNumberOfThreads) {
  const DenseRows dense = mixed_rows(5000, 6);
  const std::vector<Features> both{dense, to_sparse(dense)};
  for (const Features& features : both) {
    for (const ScaleKind kind : {ScaleKind::minmax, ScaleKind::standard, ScaleKind::rms}) {
      const ThreadScope one(1);
      const Scaling serial = fit_scaling(features, kind);
      for (const int count : {2, 8}) {
        const ThreadScope several(count);
        const Scaling scaling = fit_scaling(features, kind);
        expect_same_bits(scaling.offset, serial.offset);
        expect_same_bits(scaling.factor, serial.factor);
      }
    }
  }
}

TEST(Scaling, AWeightCountsLikeThatManyRows) {
  const DenseRows dense = mixed_rows(60, 8);
  std::vector<double> weights;
  std::vector<Index> repeated;
  for (Index i = 0; i < dense.rows; ++i) {
    weights.push_back(static_cast<double>(i % 4));
    for (Index copy = 0; copy < i % 4; ++copy) repeated.push_back(i);
  }
  const std::vector<Features> both{dense, to_sparse(dense)};
  for (const Features& features : both) {
    for (const ScaleKind kind : {ScaleKind::standard, ScaleKind::rms, ScaleKind::tfidf}) {
      const Scaling weighted = fit_scaling(features, kind, weights);
      const Scaling whole = fit_scaling(select_rows(features, repeated), kind);
      const double size = whole.factor.cwiseAbs().maxCoeff();
      EXPECT_LT((weighted.factor - whole.factor).cwiseAbs().maxCoeff(), 1e-13 * size);
      EXPECT_LT((weighted.offset - whole.offset).cwiseAbs().maxCoeff(), 1e-11);
      EXPECT_GT((fit_scaling(features, kind).factor - whole.factor).cwiseAbs().maxCoeff(),
                1e-4 * size);
    }
  }
}

TEST(Scaling, NoneReturnsTheSameBuffersAndLeavesConstantColumns) {
  const SparseRows sparse = to_sparse(mixed_rows(50, 7));
  const Scaling scaling = fit_scaling(sparse, ScaleKind::none);
  EXPECT_EQ(scaling.factor[1], 1);
  const auto same = std::get<SparseRows>(apply_scaling(sparse, scaling));
  EXPECT_EQ(same.values.data(), sparse.values.data());
}

TEST(Scaling, RmsOnSparseKeepsPatternAndScalesTheTransposeToo) {
  SparseRows sparse = to_sparse(mixed_rows(60, 8));
  sparse.transpose = std::make_shared<SparseRows>(transposed(sparse));
  const Scaling scaling = fit_scaling(sparse, ScaleKind::rms);
  const auto scaled = std::get<SparseRows>(apply_scaling(sparse, scaling));
  EXPECT_EQ(scaled.columns.data(), sparse.columns.data());
  ASSERT_TRUE(scaled.transpose);
  SparseRows alone = scaled;
  alone.transpose = nullptr;
  const SparseRows expected = transposed(alone);
  EXPECT_TRUE(std::ranges::equal(scaled.transpose->values.span(), expected.values.span()));
}

TEST(Scaling, ColumnsWithFactorZeroBecomeZeroEvenFromInfinity) {
  const Features features = dense_rows(1, 2, {INFINITY, 4});
  const Scaling scaling{ScaleKind::standard, Vector::Ones(2), Vector::Unit(2, 1)};
  const Matrix scaled = matrix_of(apply_scaling(features, scaling));
  EXPECT_EQ(scaled(0, 0), 0);
  EXPECT_EQ(scaled(0, 1), 3);
}

TEST(Scaling, SparseTooLargeToBecomeDenseIsRefusedWithGibAndAdvice) {
  SparseRows sparse = to_sparse(dense_rows(2, 1, {1, 2}));
  sparse.rows = Index{1} << 30;
  const Vector ones = Vector::Ones(1);
  try {
    apply_scaling(sparse, {ScaleKind::minmax, ones, ones});
    FAIL() << "8 GiB were allocated";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("8.0 GiB"), HasSubstr("use scale rms")));
  }
}

TEST(Scaling, ShapesThatDoNotFitAreRefused) {
  const Features features = mixed_rows(5, 9);
  EXPECT_THROW(apply_scaling(features, {ScaleKind::rms, Vector::Zero(3), Vector::Ones(3)}),
               InputError);
  EXPECT_THROW(fit_scaling(DenseRows{}, ScaleKind::minmax), InputError);
  const Scaling scaling = fit_scaling(features, ScaleKind::minmax);
  const Scaling selected = select_columns(scaling, std::vector<Index>{0, 7});
  EXPECT_EQ(selected.factor[1], scaling.factor[7]);
  EXPECT_EQ(selected.offset[1], scaling.offset[7]);
  EXPECT_THROW(select_columns(scaling, std::vector<Index>{40}), InputError);
}

TEST(Scaling, NamesAreReadBackAndUnknownOnesRefused) {
  for (const std::string_view name : {"auto", "minmax", "standard", "rms", "tfidf", "none"}) {
    EXPECT_EQ(scale_name(parse_scale(name)), name);
  }
  EXPECT_THROW(parse_scale("zscore"), InputError);
}

}  // namespace
}  // namespace ardent
