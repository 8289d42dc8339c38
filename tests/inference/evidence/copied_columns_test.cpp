// Columns that are copies of others share one weight equally.
#include "ardent/inference/evidence/copied_columns.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "ardent/design/dense.h"
#include "ardent/inference/engines/exact.h"
#include "inference/fit_dense.h"
#include "problems/classification.h"
#include "problems/regression.h"

namespace ardent {
namespace {

/// Columns 0 and 3 twice more, at the end.
Matrix with_copies(const Matrix& phi) {
  Matrix all(phi.rows(), phi.cols() + 4);
  all << phi, phi.col(0), phi.col(3), phi.col(3), phi.col(0);
  return all;
}

void expect_shared_by_three(const Posterior& shared, const Posterior& alone, Index cols) {
  ASSERT_GE(alone.active.size(), 4u);
  ASSERT_EQ(alone.active[0], 0);
  ASSERT_EQ(shared.active.size(), alone.active.size() + 4);
  const Index m = std::ssize(shared.active);
  EXPECT_EQ(shared.active[m - 4], cols);
  for (const Index copy : {Index{0}, m - 4, m - 1}) {
    EXPECT_NEAR(shared.mean[copy], alone.mean[0] / 3, 1e-12);
    EXPECT_NEAR(shared.alpha[copy], 3 * alone.alpha[0], 1e-9 * alone.alpha[0]);
    EXPECT_NEAR(shared.gamma[copy], 1 - shared.alpha[copy] * shared.variance[copy], 1e-9);
  }
  EXPECT_NEAR(shared.log_evidence, alone.log_evidence, 1e-9 * std::abs(alone.log_evidence));
}

TEST(CopiedColumns, ShareAWeightOfARegression) {
  const auto problem = problems::planted_regression(200, 8, 5, 0.5, 2);
  const Matrix phi = with_copies(problem.phi);
  const Fit alone = exact_regress(problem.phi, problem.t), shared = exact_regress(phi, problem.t);
  EXPECT_EQ(shared.report.status, Status::converged);
  expect_shared_by_three(shared.posterior, alone.posterior, problem.phi.cols());
  // The posterior is that of all columns with these precisions.
  const Posterior& found = shared.posterior;
  const Index m = std::ssize(found.active);
  Matrix bordered(phi.rows(), m + 1);
  bordered << phi(Eigen::all, found.active), Vector::Ones(phi.rows());
  Matrix precision = bordered.transpose() * bordered / found.noise_variance;
  precision.diagonal().head(m) += found.alpha;
  const Matrix covariance = precision.inverse();
  EXPECT_LT((found.covariance - covariance).cwiseAbs().maxCoeff(),
            1e-6 * covariance.cwiseAbs().maxCoeff());
}

TEST(CopiedColumns, ShareAWeightOfAClassifier) {
  const auto problem = problems::planted_classification(400, 8, 4, 2.0, 1);
  const Fit alone = exact_classify(problem.phi, problem.t);
  const Fit shared = exact_classify(with_copies(problem.phi), problem.t);
  EXPECT_EQ(shared.report.status, Status::converged);
  expect_shared_by_three(shared.posterior, alone.posterior, problem.phi.cols());
}

TEST(CopiedColumns, AStartAndThePathAreOfAllColumns) {
  const auto problem = problems::planted_regression(200, 8, 5, 0.5, 2);
  const Matrix phi = with_copies(problem.phi);
  EngineOptions options;
  const Fit first = exact_regress(phi, problem.t, options);
  const Posterior& found = first.posterior;
  options.keep_stages = true;
  options.starting_point = std::make_shared<const StartingPoint>(
      StartingPoint{found.active, found.alpha, found.mean, found.bias, found.noise_variance});
  const Fit again = exact_regress(phi, problem.t, options);
  EXPECT_LE(again.report.stages.size(), 3u);
  EXPECT_LT((again.posterior.mean - found.mean).cwiseAbs().maxCoeff(), 1e-6);
  ASSERT_FALSE(again.report.path.empty());
  const PathPoint& last = again.report.path.back();
  EXPECT_EQ(last.active, again.posterior.active);
  EXPECT_LT((last.mean - again.posterior.mean).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(CopiedColumns, AreNoneWhereColumnsOnlyLookAlike) {
  Matrix phi(4, 5);
  phi.col(0) << 1, 2, 3, 4;
  phi.col(1) = -phi.col(0);
  phi.col(2) = phi.col(0) * (1 + 1e-14);
  phi.col(3).setZero();
  phi.col(4).setZero();
  EXPECT_FALSE(CopiedColumns(DenseDesign(phi)).are_any());
  phi.col(1) = phi.col(0);
  EXPECT_TRUE(CopiedColumns(DenseDesign(phi)).are_any());
}

}  // namespace
}  // namespace ardent
