// The sequential engine on hostile input, beside what evidence_hazards_test.cpp asks of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ardent/design/dense.h"
#include "ardent/inference/sequential/sequential.h"
#include "base/temporary_files.h"
#include "inference/evidence_engines.h"
#include "inference/fit_dense.h"
#include "problems/regression.h"

namespace ardent {
namespace {

using evidence_engines::expect_settled;
using evidence_engines::predict;
using testing::Contains;
using testing::HasSubstr;

TEST(SequentialHazards, NoColumnHasAnythingToSayKeepsOneWeightAtTheLimitAndWarns) {
  Random random(2);
  Matrix phi = problems::normal_matrix(400, 3, random);
  Vector t(400);
  for (Index i = 0; i < 400; ++i) t[i] = static_cast<double>(i % 2);
  for (Index i = 0; i < 400; i += 2) phi.row(i + 1) = phi.row(i);  // each row with both labels
  for (const bool bias : {true, false}) {
    for (const Fit& fit : {sequential_classify(phi, t, {.bias = bias}),
                           sequential_regress(phi, t, {.bias = bias})}) {
      if (!bias && fit.posterior.noise_variance > 0) continue;  // the mean of t is something to say
      expect_settled(fit);
      EXPECT_EQ(fit.posterior.active.size(), 1u);
      EXPECT_THAT(fit.report.warnings, Contains(HasSubstr("every weight would be pruned")));
      EXPECT_EQ(fit.report.status, Status::stalled);
      const double middle = fit.posterior.noise_variance > 0 ? 0.5 : 0;
      EXPECT_LT((predict(phi, fit.posterior).array() - middle).abs().maxCoeff(), 1e-2);
    }
  }
}

TEST(SequentialHazards, PureNoiseIsNotFitted) {
  Random random(21);
  const Matrix phi = problems::normal_matrix(200, 50, random);
  Vector t(200);
  for (Index i = 0; i < 200; ++i) t[i] = random.normal();
  const Fit fit = sequential_regress(phi, t);
  expect_settled(fit);
  EXPECT_LE(fit.posterior.active.size(), 25u);
  EXPECT_GT(fit.posterior.noise_variance, 0.6);
}

TEST(SequentialHazards, OfDuplicateColumnsTheFirstIsTaken) {
  const auto problem = problems::planted_classification(300, 5, 3, 1.5, 5);
  Matrix phi(300, 10);
  phi << problem.phi, problem.phi;
  const Fit plain = sequential_classify(problem.phi, problem.t);
  const Fit fit = sequential_classify(phi, problem.t);
  expect_settled(fit);
  ASSERT_EQ(fit.posterior.active, plain.posterior.active);
  EXPECT_LT((fit.posterior.mean - plain.posterior.mean).norm(), 1e-6);
  const auto regression = problems::planted_regression(200, 5, 3, 0.5, 6);
  Matrix twice(200, 10);
  twice << regression.phi, regression.phi;
  const Fit doubled = sequential_regress(twice, regression.t);
  expect_settled(doubled);
  EXPECT_LE(doubled.posterior.active.size(), 5u);
}

TEST(SequentialHazards, OptionsOutOfRangeAreRefusedByName) {
  EXPECT_THAT(message_of([] {
                sequential_regress(Matrix::Ones(5, 2), Vector::Ones(5), {.tolerance = -1});
              }),
              HasSubstr("tolerance"));
}

}  // namespace
}  // namespace ardent
