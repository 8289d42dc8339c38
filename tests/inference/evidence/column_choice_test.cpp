#include "ardent/inference/evidence/column_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/QR>

#include "ardent/design/dense.h"
#include "problems/classification.h"

namespace ardent {
namespace {

/// ½Σ B (f − its projection on these columns and, `bias`, a constant)².
double left_undone(const Matrix& phi, const Vector& row_weights, const Vector& f,
                   const std::vector<Index>& columns, bool bias) {
  const Vector root = row_weights.cwiseSqrt();
  Matrix x(phi.rows(), std::ssize(columns) + (bias ? 1 : 0));
  for (Index k = 0; k < std::ssize(columns); ++k) x.col(k) = phi.col(columns[k]);
  if (bias) x.rightCols(1).setOnes();
  x.array().colwise() *= root.array();
  const Vector goal = root.cwiseProduct(f);
  if (x.cols() == 0) return goal.squaredNorm() / 2;
  return (goal - x * x.householderQr().solve(goal)).squaredNorm() / 2;
}

TEST(ColumnChoice, EachNextColumnLeavesTheLeastUndone) {
  Random random(1);
  const Matrix phi = problems::normal_matrix(40, 12, random);
  const Vector f = problems::normal_matrix(40, 1, random).col(0) + 2 * phi.col(3);
  const Vector weights = problems::normal_matrix(40, 1, random).col(0).cwiseAbs2();
  for (const bool bias : {true, false}) {
    const DenseDesign design(phi);
    ColumnChoice own(design, weights, f, bias);
    for (Index size = 1; size <= 12; ++size) {
      std::vector<Index> known = own.chosen();
      ASSERT_TRUE(own.add_next());
      const double reached = left_undone(phi, weights, f, own.chosen(), bias);
      for (Index k = 0; k < 12; ++k) {
        if (std::ranges::find(known, k) != known.end()) continue;
        std::vector<Index> other = known;
        other.push_back(k);
        EXPECT_GE(left_undone(phi, weights, f, other, bias), reached - 1e-9) << size;
      }
    }
    EXPECT_FALSE(own.add_next());
    EXPECT_EQ(own.chosen().front(), 3);
  }
}

TEST(ColumnChoice, ACopyOfAColumnIsNotChosen) {
  Random random(2);
  Matrix phi = problems::normal_matrix(30, 4, random);
  phi.col(2) = 3 * phi.col(0);
  phi.col(3).setOnes();  // the bias
  const DenseDesign design(phi);
  const Vector f = problems::normal_matrix(30, 1, random).col(0);
  ColumnChoice choice(design, Vector::Ones(30), f, true);
  EXPECT_TRUE(choice.add_next());
  EXPECT_TRUE(choice.add_next());
  EXPECT_FALSE(choice.add_next());
  EXPECT_EQ(choice.chosen().size(), 2u);
}

TEST(ColumnChoice, AConstantNeedsNone) {
  Random random(3);
  const DenseDesign design(problems::normal_matrix(30, 4, random));
  ColumnChoice choice(design, Vector::Ones(30), Vector::Zero(30), true);
  EXPECT_FALSE(choice.add_next());
}

}  // namespace
}  // namespace ardent
