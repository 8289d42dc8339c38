#include "ardent/design/callback.h"

#include "ardent/base/error.h"
#include "tests/design/brute_force.h"

namespace ardent {
namespace {

using problems::random_matrix;

DesignProducts products_of(const Matrix& phi, bool norms) {
  DesignProducts products{
      .multiply = [phi](const RowMatrix& w, RowMatrix& out) { out = phi * w; },
      .multiply_transposed = [phi](const RowMatrix& r,
                                   RowMatrix& out) { out = phi.transpose() * r; }};
  if (norms) {
    products.weighted_square_norms = [phi](const Vector& beta, Vector& out) {
      out = phi.cwiseAbs2().transpose() * beta;
    };
  }
  return products;
}

TEST(CallbackDesign, EveryOperationMatchesPlainArithmetic) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{83, 71}, {5, 90}, {90, 5}, {1, 1}}) {
    const Matrix phi = random_matrix(rows, cols, 1);
    brute_force::expect_design(CallbackDesign(rows, cols, products_of(phi, true)), phi, 1e-11);
  }
}

TEST(CallbackDesign, FewRowsOrColumnsHaveExactNormsOfProductsAlone) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{40, 300}, {300, 40}}) {
    const Matrix phi = random_matrix(rows, cols, 2);
    brute_force::expect_design(CallbackDesign(rows, cols, products_of(phi, false)), phi, 1e-11);
  }
}

// 64 probes: a relative standard deviation of at most √(2/64) = .18 each, so .18/√200 = .0125 for
// the mean of 200 independent columns.
TEST(CallbackDesign, ProbedNormsAreUnbiasedAndAsCloseAsTheySay) {
  const Matrix phi = random_matrix(400, 200, 3);
  const CallbackDesign design(400, 200, products_of(phi, false));
  const Vector beta = problems::random_vector(400, 4).cwiseAbs();
  Vector found;
  design.weighted_square_norms(beta, found);
  const Vector ratio = found.cwiseQuotient(Vector(phi.cwiseAbs2().transpose() * beta));
  EXPECT_NEAR(ratio.mean(), 1, 5 * 0.0125);
  EXPECT_LT((ratio.array() - 1).abs().maxCoeff(), 6 * 0.18);
  EXPECT_GT((ratio.array() - 1).abs().maxCoeff(), 0.05) << "estimated, not exact";
}

TEST(CallbackDesign, WhatAProductThrowsReachesTheCaller) {
  DesignProducts products = products_of(Matrix::Ones(3, 2), true);
  products.multiply = [](const RowMatrix&, RowMatrix&) { throw InputError("the worker is gone"); };
  const CallbackDesign design(3, 2, std::move(products));
  Vector out;
  EXPECT_THROW(design.multiply(Vector::Ones(2), out), InputError);
}

}  // namespace
}  // namespace ardent
