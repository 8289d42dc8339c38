#include "ardent/inference/coding/duality_gap.h"

#include <gtest/gtest.h>

#include "ardent/inference/coding/weighted_lasso.h"
#include "hazardous_problems.h"

namespace ardent {
namespace {

using problems::dictionary_of;
using problems::random_matrix;
using problems::random_vector;

TEST(DualityGap, IsPrimalMinusDualAtAFeasiblePoint) {
  const Matrix phi = random_matrix(12, 30, 1);
  const auto dictionary = dictionary_of(phi);
  const Vector y = random_vector(12, 2);
  const Vector rho = phi.transpose() * y;
  Vector w = random_vector(30, 3).array().exp();
  w[7] = kNeverUsed;
  for (const bool nonnegative : {false, true}) {
    const LassoProblem problem{*dictionary, y, rho, w, nonnegative};
    const SparseCode code{{2, 5, 11}, (Vector(3) << 0.4, 0.1, 0.3).finished()};
    const DualityGap gap = duality_gap(problem, code);
    const Vector r = y - phi(Eigen::all, code.active) * code.theta;
    const Vector eta = gap.scale * r;
    for (Index i = 0; i < 30; ++i) {
      const double c = phi.col(i).dot(eta);
      EXPECT_LE(nonnegative ? c : std::abs(c), w[i] * (1 + 1e-14));
    }
    const double primal =
        0.5 * r.squaredNorm() + (Vector(w(code.active)).cwiseProduct(code.theta)).sum();
    const double dual = 0.5 * y.squaredNorm() - 0.5 * (y - eta).squaredNorm();
    EXPECT_NEAR(gap.primal, primal, 1e-13);
    EXPECT_NEAR(gap.gap, primal - dual, 1e-13);
  }
}

TEST(DualityGap, BoundsTheDistanceToTheOptimum) {
  const Matrix phi = random_matrix(20, 50, 4);
  const auto dictionary = dictionary_of(phi);
  const Vector y = random_vector(20, 5);
  const Vector rho = phi.transpose() * y;
  const double lambda = 0.2 * rho.cwiseAbs().maxCoeff();
  const Vector w = Vector::Constant(50, lambda);
  const LassoProblem problem{*dictionary, y, rho, w};
  const auto best = weighted_lasso(*dictionary, y, Vector::Ones(50), lambda, {.tolerance = 1e-13});
  EXPECT_LT(duality_gap(problem, best.code).relative(), 1e-13);
  for (const double factor : {0.0, 0.5, 0.9, 1.1, 2.0, -1.0}) {
    SparseCode worse = best.code;
    worse.theta *= factor;
    const DualityGap gap = duality_gap(problem, worse);
    EXPECT_GE(gap.gap, gap.primal - best.report.objective) << factor;
  }
}

}  // namespace
}  // namespace ardent
