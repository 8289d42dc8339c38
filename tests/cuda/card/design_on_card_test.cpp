// Products and compaction on the card against the processor's.
#include "ardent/cuda/card/design_on_card.h"

#include <gmock/gmock.h>

#include "ardent/cuda/card/sparse_rows_on_card.h"
#include "ardent/design/dense.h"
#include "ardent/design/sparse.h"
#include "ardent/design/with_bias.h"
#include "problems/random_matrix.h"

namespace ardent {
namespace {

CardArray<double> on_card(Card& card, const Vector& v) {
  return {card, std::span<const double>(v.data(), static_cast<std::size_t>(v.size()))};
}

Vector on_host(const CardArray<double>& v) {
  Vector result(static_cast<Index>(v.size()));
  v.download({result.data(), v.size()});
  return result;
}

double relative(const Vector& found, const Vector& expected) {
  return (found - expected).norm() / expected.norm();
}

/// A design with factors and a bias, sparse or dense.
std::unique_ptr<Design> design_of(const Matrix& m, bool sparse) {
  std::unique_ptr<Design> inner;
  if (sparse) {
    inner = std::make_unique<SparseDesign>(problems::sparse_rows(m));
  } else {
    inner = std::make_unique<DenseDesign>(m);
  }
  inner->scale_columns(problems::random_vector(m.cols(), 7).cwiseAbs());
  return std::make_unique<WithBias>(std::move(inner));
}

/// Sparse, with an empty row and column, and a row and a column that are summed in pieces.
Matrix uneven_matrix(Index rows, Index cols) {
  Matrix m = problems::random_matrix(rows, cols, 3, 0.05);
  const Matrix full = problems::random_matrix(rows, cols, 4);
  m.row(1) = full.row(1);
  m.col(2) = full.col(2);
  m.row(3).setZero();
  m.col(5).setZero();
  return m;
}

void expect_products(Card& card, DesignOnCard& there, const Design& here) {
  const Index n = here.rows(), m = here.cols();
  const Vector w = problems::random_vector(m, 11), r = problems::random_vector(n, 12);
  const Vector alpha = problems::random_vector(m, 13).cwiseAbs();
  const Vector beta = problems::random_vector(n, 14).cwiseAbs();
  const auto w_there = on_card(card, w), r_there = on_card(card, r);
  const auto alpha_there = on_card(card, alpha), beta_there = on_card(card, beta);
  CardArray<double> rows(card, static_cast<std::size_t>(n)),
      cols(card, static_cast<std::size_t>(m));
  Vector expected;

  there.multiply(w_there.data(), nullptr, rows.data());
  here.multiply(w, expected);
  EXPECT_LT(relative(on_host(rows), expected), 1e-12);
  there.multiply(w_there.data(), beta_there.data(), rows.data());
  EXPECT_LT(relative(on_host(rows), expected.cwiseProduct(beta)), 1e-12);

  there.multiply_transposed(r_there.data(), -1, alpha_there.data(), w_there.data(), cols.data());
  here.multiply_transposed(r, expected);
  EXPECT_LT(relative(on_host(cols), alpha.cwiseProduct(w) - expected), 1e-12);

  there.weighted_square_norms(beta_there.data(), alpha_there.data(), cols.data());
  here.weighted_square_norms(beta, expected);
  EXPECT_LT(relative(on_host(cols), expected + alpha), 1e-12);
}

void expect_products_before_and_after_pruning(const Matrix& m, bool sparse) {
  Card card;
  const auto here = design_of(m, sparse);
  const auto there = design_on_card(card, *here);
  expect_products(card, *there, *here);
  std::vector<Index> kept;
  std::vector<std::uint32_t> positions,
      numbers(static_cast<std::size_t>(m.cols()), SparseRowsOnCard::kDropped);
  for (Index k = 1; k < m.cols(); k += k % 3 == 0 ? 2 : 1) {
    numbers[static_cast<std::size_t>(k)] = static_cast<std::uint32_t>(kept.size());
    positions.push_back(static_cast<std::uint32_t>(k));
    kept.push_back(k);
  }
  const CardArray<std::uint32_t> positions_there(card, std::span<const std::uint32_t>(positions));
  const CardArray<std::uint32_t> numbers_there(card, std::span<const std::uint32_t>(numbers));
  there->keep({positions_there.data(), positions.size(), numbers_there.data()});
  kept.push_back(m.cols());  // the bias
  here->keep(kept);
  expect_products(card, *there, *here);
}

TEST(DesignOnCard, SparseProductsAreTheProcessors) {
  expect_products_before_and_after_pruning(uneven_matrix(60, 40), true);
}

TEST(DesignOnCard, DenseProductsAreTheProcessors) {
  expect_products_before_and_after_pruning(problems::random_matrix(60, 40, 5), false);
}

TEST(DesignOnCard, OneRowAndOneColumn) {
  expect_products_before_and_after_pruning(problems::random_matrix(1, 3, 6), true);
  expect_products_before_and_after_pruning(problems::random_matrix(9, 2, 6), true);
}

TEST(DesignOnCard, LargeRowsAndColumnsInPieces) {
  expect_products_before_and_after_pruning(uneven_matrix(6000, 5000), true);
}

TEST(DesignOnCard, LargeSumsHaveTheSameBitsAgain) {
  Card card;
  const auto here = design_of(uneven_matrix(6000, 300), true);
  const auto there = design_on_card(card, *here);
  const auto r = on_card(card, problems::random_vector(here->rows(), 1));
  const auto zero = on_card(card, Vector::Zero(here->cols()));
  CardArray<double> out(card, static_cast<std::size_t>(here->cols()));
  const auto product = [&] {
    there->multiply_transposed(r.data(), 1, zero.data(), zero.data(), out.data());
    return on_host(out);
  };
  const Vector first = product();
  for (int again = 0; again < 20; ++again) EXPECT_EQ(product(), first);
}

}  // namespace
}  // namespace ardent
