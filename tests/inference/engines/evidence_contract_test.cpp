// What a caller may rely on from every engine with an exact evidence.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "ardent/base/parallel.h"
#include "inference/evidence_engines.h"
#include "problems/regression.h"

namespace ardent {
namespace {

class EvidenceContract : public evidence_engines::EveryEngine {};

INSTANTIATE_TEST_SUITE_P(Engines, EvidenceContract, evidence_engines::kNames,
                         evidence_engines::name_of);

TEST_P(EvidenceContract, ResultsDoNotDependOnTheNumberOfThreads) {
  const auto wide = problems::planted_classification(70, 700, 4, 2.0, 12);
  const auto kernel = problems::kernel_classification(160, 1.0, 13);
  const auto regression = problems::planted_regression(150, 90, 5, 0.5, 14);
  const auto wide_regression = problems::planted_regression(100, 500, 5, 0.5, 14);
  const auto run = [&](int count) {
    const ThreadScope scope(count);
    return std::vector<Fit>{classify(wide.phi, wide.t), classify(kernel.phi, kernel.t),
                            regress(regression.phi, regression.t),
                            regress(wide_regression.phi, wide_regression.t)};
  };
  const auto one = run(1);
  for (const int count : {2, 8}) {
    const auto many = run(count);
    for (std::size_t f = 0; f < one.size(); ++f) {
      EXPECT_EQ(one[f].posterior.active, many[f].posterior.active);
      EXPECT_EQ(one[f].posterior.mean, many[f].posterior.mean);
      EXPECT_EQ(one[f].posterior.covariance, many[f].posterior.covariance);
      EXPECT_EQ(one[f].posterior.log_evidence, many[f].posterior.log_evidence);
    }
  }
}

TEST_P(EvidenceContract, ReportsProgressAndStopsWhenAsked) {
  const std::map<std::string, Index> limits{
      {"exact", 1000}, {"sequential", 5000}, {"growing", 5000}};
  const auto problem = problems::planted_classification(200, 20, 3, 1.5, 15);
  std::vector<ProgressEvent> events;
  const Fit stopped = fit(DenseDesign(problem.phi), {Likelihood::bernoulli, problem.t}, {},
                          [&](const ProgressEvent& event) {
                            events.push_back(event);
                            return events.size() < 3;
                          });
  EXPECT_EQ(stopped.report.status, Status::stopped);
  ASSERT_EQ(events.size(), 3u);
  ASSERT_EQ(stopped.report.stages.size(), 3u);
  EXPECT_EQ(events[2].done, 3);
  EXPECT_EQ(events[2].total, limits.at(GetParam()));
  EXPECT_EQ(events[2].objective, stopped.posterior.log_evidence);
  EXPECT_EQ(events[2].active, std::ssize(stopped.posterior.active));
}

TEST_P(EvidenceContract, RunningOutOfStagesIsAStatus) {
  const auto problem = problems::planted_classification(200, 20, 3, 1.5, 16);
  const auto regression = problems::planted_regression(200, 20, 3, 0.5, 16);
  for (const Fit& ended : {classify(problem.phi, problem.t, {.max_stages = 2}),
                           regress(regression.phi, regression.t, {.max_stages = 2})}) {
    EXPECT_EQ(ended.report.status, Status::iteration_limit);
    EXPECT_EQ(ended.report.stages.size(), 2u);
    if (GetParam() != "exact") {
      EXPECT_EQ(ended.posterior.active.size(), 2u);
    }
  }
}

TEST_P(EvidenceContract, RowWeightsCountRowsAsOftenAsTheySay) {
  const auto problem = problems::planted_classification(120, 15, 3, 1.5, 94);
  const auto regression = problems::planted_regression(120, 15, 3, 0.5, 95);
  Vector weights = Vector::Ones(120);
  std::vector<Index> repeated;
  for (Index i = 0; i < 120; ++i) {
    weights[i] = static_cast<double>(i % 3);
    for (Index copy = 0; copy < i % 3; ++copy) repeated.push_back(i);
  }
  const auto check = [&](const Matrix& phi, const Vector& t, Likelihood likelihood) {
    const Fit weighted = fit(DenseDesign(phi), {likelihood, t, weights});
    const Fit copied = fit(DenseDesign(phi(repeated, Eigen::all)), {likelihood, t(repeated)});
    ASSERT_EQ(weighted.posterior.active, copied.posterior.active);
    EXPECT_NEAR(weighted.posterior.log_evidence, copied.posterior.log_evidence, 1e-6);
    EXPECT_LT((weighted.posterior.mean - copied.posterior.mean).norm(), 1e-6);
  };
  check(problem.phi, problem.t, Likelihood::bernoulli);
  check(regression.phi, regression.t, Likelihood::gaussian);
}

TEST_P(EvidenceContract, WithoutABiasThereIsNone) {
  const auto problem = problems::planted_classification(200, 5, 3, 1.5, 17);
  const Fit fitted = classify(problem.phi, problem.t, {.bias = false});
  EXPECT_FALSE(fitted.posterior.has_bias);
  EXPECT_EQ(fitted.posterior.bias, 0);
  EXPECT_EQ(fitted.posterior.covariance.rows(), std::ssize(fitted.posterior.active));
}

}  // namespace
}  // namespace ardent
