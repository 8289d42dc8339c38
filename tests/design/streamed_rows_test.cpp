// Rows that are scaled as they are read: the bits of a scaled copy.
#include <gtest/gtest.h>

#include "ardent/base/memory_limit.h"
#include "ardent/data/scaling.h"
#include "ardent/design/sparse.h"
#include "base/temporary_files.h"
#include "tests/problems/random_matrix.h"

namespace ardent {
namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

/// Columns that are all zeros among others.
SparseRows gappy_rows(bool with_transpose) {
  Matrix phi = problems::random_matrix(400, 300, 7, 0.1);
  for (const Index k : {0, 5, 6, 299}) phi.col(k).setZero();
  SparseRows rows = problems::sparse_rows(phi);
  if (with_transpose) rows.transpose = std::make_shared<const SparseRows>(transposed(rows));
  return rows;
}

struct Pair {
  SparseDesign streamed, copied;
};

Pair designs(ScaleKind kind, bool with_transpose) {
  const Features rows = gappy_rows(with_transpose);
  const Scaling scaling = fit_scaling(rows, kind);
  const std::vector<Index> inputs = varying_columns(scaling);
  const Features copied = scaled_columns(rows, scaling, inputs);
  const TemporaryFiles folder;
  const MemoryLimit limit(4 * kMebibyte, folder.folder().string());
  const auto crowd = Buffer<char>::allocate(2 * kMebibyte);
  const Features streamed = scaled_columns(rows, scaling, inputs);
  return {SparseDesign(std::get<StreamedRows>(streamed)),
          SparseDesign(std::get<SparseRows>(copied))};
}

void expect_same_bits(const SparseDesign& a, const SparseDesign& b) {
  ASSERT_EQ(a.cols(), b.cols());
  const Vector w = problems::random_vector(a.cols(), 1), r = problems::random_vector(a.rows(), 2);
  Vector of_a, of_b;
  a.multiply(w, of_a), b.multiply(w, of_b);
  EXPECT_TRUE(of_a == of_b);
  a.multiply_transposed(r, of_a), b.multiply_transposed(r, of_b);
  EXPECT_TRUE(of_a == of_b);
  a.weighted_square_norms(r.cwiseAbs(), of_a), b.weighted_square_norms(r.cwiseAbs(), of_b);
  EXPECT_TRUE(of_a == of_b);
  RowMatrix many_of_a, many_of_b;
  a.multiply_many(w.replicate(1, 3), many_of_a), b.multiply_many(w.replicate(1, 3), many_of_b);
  EXPECT_TRUE(many_of_a == many_of_b);
  a.multiply_transposed_many(r.replicate(1, 3), many_of_a);
  b.multiply_transposed_many(r.replicate(1, 3), many_of_b);
  EXPECT_TRUE(many_of_a == many_of_b);
  Matrix gram_of_a, gram_of_b;
  a.weighted_gram(r.cwiseAbs(), gram_of_a), b.weighted_gram(r.cwiseAbs(), gram_of_b);
  EXPECT_TRUE(gram_of_a == gram_of_b);
  const std::vector<Index> some{0, 3, a.cols() - 1};
  EXPECT_TRUE(a.columns(some) == b.columns(some));
}

TEST(StreamedRows, AreADesignWithTheBitsOfAScaledCopy) {
  for (const ScaleKind kind : {ScaleKind::rms, ScaleKind::tfidf}) {
    for (const bool with_transpose : {false, true}) {
      SCOPED_TRACE(scale_name(kind));
      auto [streamed, copied] = designs(kind, with_transpose);
      EXPECT_EQ(copied.cols(), kind == ScaleKind::rms ? 296 : 300) << "zeros are left out";
      EXPECT_FALSE(streamed.is_compact());
      expect_same_bits(streamed, copied);
      streamed.compact();
      EXPECT_TRUE(streamed.is_compact());
      expect_same_bits(streamed, copied);
    }
  }
}

TEST(StreamedRows, DropColumnsLikeACopy) {
  const TemporaryFiles folder;
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1} << 10}) {  // compacted or masked
    auto [streamed, copied] = designs(ScaleKind::rms, true);
    const MemoryLimit limit(bytes, folder.folder().string());
    std::vector<Index> most;
    for (Index k = 0; k < streamed.cols(); ++k) {
      if (k % 7 != 3) most.push_back(k);
    }
    streamed.keep(most), copied.keep(most);
    EXPECT_EQ(streamed.is_compact(), bytes == 0);
    expect_same_bits(streamed, copied);
  }
}

TEST(StreamedRows, AreCopiedWithTheirValuesScaled) {
  const Features rows = gappy_rows(true);
  const Scaling scaling = fit_scaling(rows, ScaleKind::tfidf);
  std::vector<Index> kept;
  for (Index k = 1; k < 300; k += 2) kept.push_back(k);
  const StreamedRows streamed{
      400, 150, std::get<SparseRows>(rows),
      std::make_shared<const EntryScale>(EntryScale{scaling.factor, row_lengths(rows, scaling)}),
      kept};
  const Features copied = apply_scaling(select_columns(rows, kept), select_columns(scaling, kept),
                                        row_lengths(rows, scaling));
  EXPECT_EQ(cols(streamed), 150);
  EXPECT_TRUE(is_sparse(streamed));
  const std::vector<Index> which{17, 3, 399};
  const std::vector<Index> few{0, 2, 149};
  const auto matrix = [](const Features& features) { return problems::matrix_of(features); };
  EXPECT_TRUE(matrix(select_rows(streamed, which)) == matrix(select_rows(copied, which)));
  EXPECT_TRUE(matrix(select_columns(streamed, few)) == matrix(select_columns(copied, few)));
}

}  // namespace
}  // namespace ardent
