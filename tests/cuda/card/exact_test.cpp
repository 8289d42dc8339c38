// The exact engine's matrices on a card against the processor's.
#include "ardent/inference/engines/exact.h"

#include <gmock/gmock.h>

#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/design/dense.h"
#include "ardent/inference/evidence/dual_space.h"
#include "ardent/inference/evidence/primal_space.h"
#include "cuda/card/card_and_processor.h"
#include "problems/classification.h"
#include "problems/kernel_points.h"
#include "problems/regression.h"

namespace ardent {
namespace {

using problems::lazy_kernel;
using problems::planted_kernels;

using on_card::card;
using on_card::expect_close;
using on_card::positive;
using on_card::some_matrix;

void expect_the_same_answers(const Design& found, const Design& wanted) {
  const Index n = wanted.rows(), m = wanted.cols();
  ASSERT_EQ(found.rows(), n);
  ASSERT_EQ(found.cols(), m);
  const Vector w = some_matrix(m, 1, 1), r = some_matrix(n, 1, 2);
  Vector own, other;
  found.multiply(w, own), wanted.multiply(w, other);
  expect_close(own, other, 1e-13);
  found.multiply_transposed(r, own), wanted.multiply_transposed(r, other);
  expect_close(own, other, 1e-13);
  found.weighted_square_norms(positive(n, 3), own),
      wanted.weighted_square_norms(positive(n, 3), other);
  expect_close(own, other, 1e-13);
  Matrix gram, other_gram;
  found.weighted_gram(positive(n, 4), gram), wanted.weighted_gram(positive(n, 4), other_gram);
  expect_close(gram, other_gram, 1e-13);
  EXPECT_EQ(gram, Matrix(gram.transpose()));
  found.weighted_outer(positive(m, 5), gram), wanted.weighted_outer(positive(m, 5), other_gram);
  expect_close(gram, other_gram, 1e-13);
  expect_close(found.columns(index_range(0, m)), wanted.columns(index_range(0, m)), 1e-14);
}

TEST(CardDesign, AnswersAsADenseDesign) {
  const DenseDesign here(some_matrix(70, 50, 6));
  auto there = card()->dense_design(here);
  expect_the_same_answers(*there, here);
  auto kept_here = here.clone();
  auto kept_there = there->clone();
  const std::vector<Index> few{1, 2, 7, 30, 49};
  for (Design* design : {kept_here.get(), kept_there.get()}) {
    design->scale_columns(positive(50, 7));
    design->keep(few);
  }
  expect_the_same_answers(*kept_there, *kept_here);
  expect_the_same_answers(*there, here);  // what the copy does is its own
  kept_there->keep({});
  Vector nothing(0), fitted;
  kept_there->multiply(nothing, fitted);
  EXPECT_EQ(fitted, Vector::Zero(70));
}

TEST(CardDesign, FormsAKernelOfPoints) {
  auto points = planted_kernels(300, 3, 0.5, 1, Likelihood::gaussian, 8);
  auto& rows = std::get<DenseRows>(points.x);
  std::vector<double> values(rows.values.begin(), rows.values.end());
  for (Index j = 0; j < 3; ++j) {
    values[3 + j] = values[j];         // a copy,
    values[6 + j] = values[j] + 1e-7;  // and one that is nearly one
  }
  rows.values = Buffer<double>::copy_of(values);
  const auto here = gaussian_kernel_design(points.x, points.x, 0.5);
  const auto there = card()->dense_design(*lazy_kernel(points.x, 0.5));
  const auto all = index_range(0, 300);
  const Matrix own = there->columns(all), other = here->columns(all);
  EXPECT_LE((own - other).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_EQ(own(0, 0), 1);
  EXPECT_EQ(own(0, 1), 1);
  EXPECT_LT(own(0, 2), 1);
  EXPECT_EQ(other(0, 2), own(0, 2));
  // Sparse points, which have another origin.
  const Features sparse = to_sparse(std::get<DenseRows>(points.x));
  const auto here_sparse = gaussian_kernel_design(sparse, sparse, 0.5);
  const auto there_sparse = card()->dense_design(*lazy_kernel(sparse, 0.5));
  EXPECT_LE((there_sparse->columns(all) - here_sparse->columns(all)).cwiseAbs().maxCoeff(), 1e-13);
}

/// All that a stage asks of a space.
void expect_the_same_space(WeightSpace& found, WeightSpace& wanted, const Vector& beta,
                           Index columns) {
  const Vector residual = some_matrix(beta.size(), 1, 9);
  for (WeightSpace* space : {&found, &wanted}) space->factor(beta);
  const Predictor step = found.newton_step(residual, found.constant(0.3)),
                  other = wanted.newton_step(residual, wanted.constant(0.3));
  expect_close(step.fitted, other.fitted, 1e-10);
  expect_close(found.weights(step), wanted.weights(other), 1e-10);
  EXPECT_NEAR(step.bias, other.bias, 1e-10 * std::max(1.0, std::abs(other.bias)));
  const Relevance own = found.relevance(), its = wanted.relevance();
  EXPECT_LE((own.gamma - its.gamma).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_NEAR(own.bias_gamma, its.bias_gamma, 1e-10);
  EXPECT_NEAR(found.log_determinant_ratio(), wanted.log_determinant_ratio(),
              1e-10 * std::max(1.0, wanted.log_determinant_ratio()));
  EXPECT_EQ(found.jitter(), wanted.jitter());
  if (columns > 1000) return;
  expect_close(found.covariance(), wanted.covariance(), 1e-10);
}

/// Columns beside the whole design, scaled.
struct Pair {
  std::unique_ptr<Design> here, there;
  Prior prior;

  Pair(Index rows, Index cols, bool bias) {
    DenseDesign phi(some_matrix(rows, cols + 3, 10));
    phi.scale_columns(positive(cols + 3, 11));
    there = card()->dense_design(phi);
    here = phi.clone();
    there->scale_columns(positive(cols + 3, 12));
    here->scale_columns(positive(cols + 3, 12));
    prior = {positive(cols, 13), bias, 1e-8};
  }
  void keep(Index cols) {
    for (Design* design : {here.get(), there.get()}) design->keep(index_range(2, cols + 2));
  }
};

class CardSpace : public testing::TestWithParam<std::tuple<Index, Index, bool>> {};

TEST_P(CardSpace, PrimalIsTheProcessors) {
  const auto [rows, cols, bias] = GetParam();
  Pair pair(rows, cols, bias);
  pair.keep(cols);
  PrimalSpace found(*pair.there, pair.prior,
                    card()->primal_matrices(*pair.there, pair.prior, nullptr)),
      wanted(*pair.here, pair.prior);
  expect_the_same_space(found, wanted, positive(rows, 14), cols);
  const Matrix covariance = found.covariance();
  EXPECT_TRUE(covariance == covariance.transpose());
}

TEST_P(CardSpace, PrimalOfAKeptGramMatrixIsTheProcessors) {
  const auto [rows, cols, bias] = GetParam();
  Pair pair(rows, cols, bias);
  const Vector counts = positive(rows, 15);
  {  // it is formed once, of all columns
    const Prior all{positive(cols + 3, 16), bias, 1e-8};
    card()->primal_matrices(*pair.there, all, &counts);
  }
  pair.keep(cols);
  PrimalSpace found(*pair.there, pair.prior,
                    card()->primal_matrices(*pair.there, pair.prior, &counts)),
      wanted(*pair.here, pair.prior);
  expect_the_same_space(found, wanted, counts / 0.3, cols);
}

TEST_P(CardSpace, DualIsTheProcessors) {
  const auto [rows, cols, bias] = GetParam();
  Pair pair(rows, cols, bias);
  pair.keep(cols);
  DualSpace found(*pair.there, pair.prior, card()->dual_matrices(*pair.there, pair.prior)),
      wanted(*pair.here, pair.prior);
  expect_the_same_space(found, wanted, positive(rows, 17), cols);
  const auto matrices = card()->dual_matrices(*pair.there, pair.prior);
  matrices->factor(positive(rows, 17));
  const Matrix products = matrices->half_solved_products();
  EXPECT_TRUE(products == products.transpose());
}

INSTANTIATE_TEST_SUITE_P(Shapes, CardSpace,
                         testing::Values(std::tuple(60, 40, true), std::tuple(60, 40, false),
                                         std::tuple(40, 90, true), std::tuple(40, 90, false),
                                         std::tuple(33, 1, true), std::tuple(300, 200, true)));
INSTANTIATE_TEST_SUITE_P(Large, CardSpace, testing::Values(std::tuple(2300, 2200, true)));

TEST(CardSpaces, DependentColumnsNeedTheProcessorsJitter) {
  Matrix phi = some_matrix(30, 6, 18);
  phi.col(5) = phi.col(4);
  const DenseDesign here(phi);
  const auto there = card()->dense_design(here);
  const Prior prior{Vector::Constant(6, 1e-18), true, 1e-18};
  PrimalSpace found(*there, prior, card()->primal_matrices(*there, prior, nullptr)),
      wanted(here, prior);
  for (WeightSpace* space :
       {static_cast<WeightSpace*>(&found), static_cast<WeightSpace*>(&wanted)}) {
    space->factor(Vector::Ones(30));
  }
  EXPECT_GT(wanted.jitter(), 0);
  EXPECT_EQ(found.jitter(), wanted.jitter());
}

}  // namespace
}  // namespace ardent
