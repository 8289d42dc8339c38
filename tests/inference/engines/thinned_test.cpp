// The engine thinned: its fixed point, what it stops at, and that it says what all columns say.
#include "ardent/inference/engines/thinned.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ardent/design/dense.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "problems/classification.h"
#include "problems/regression.h"

namespace ardent {
namespace {

/// Sigmoid nodes with random weights on a few inputs, and a target that two of the inputs decide.
struct HiddenNodes {
  Matrix phi;
  Target target;
};

HiddenNodes hidden_nodes(Index rows, Index count, Likelihood likelihood, std::uint64_t seed) {
  Random random(seed);
  const Matrix x = problems::normal_matrix(rows, 4, random);
  HiddenNodes problem{Matrix(rows, count), {likelihood, Vector(rows)}};
  for (Index k = 0; k < count; ++k) {
    const Vector a = Vector::NullaryExpr(4, [&](Index) { return random.uniform(-1, 1); });
    problem.phi.col(k) = 1 / (1 + (-(x * a).array() - random.uniform(-1, 1)).exp());
  }
  for (Index i = 0; i < rows; ++i) {
    const double f = 2 * std::sin(2 * x(i, 0)) + x(i, 1) * x(i, 1) - 1;
    const bool classes = likelihood == Likelihood::bernoulli;
    problem.target.t[i] =
        classes ? random.uniform(0, 1) < bernoulli::sigmoid(2 * f) : f + 0.3 * random.normal();
  }
  return problem;
}

Fit thinned(const HiddenNodes& problem, const EngineOptions& options = {}) {
  return fit_thinned(DenseDesign(problem.phi), problem.target, options);
}

Vector predictor(const Matrix& phi, const Posterior& posterior) {
  return (phi(Eigen::all, posterior.active) * posterior.mean).array() + posterior.bias;
}

class Thinned : public testing::TestWithParam<Likelihood> {};
INSTANTIATE_TEST_SUITE_P(Likelihoods, Thinned,
                         testing::Values(Likelihood::bernoulli, Likelihood::gaussian));

TEST_P(Thinned, FewColumnsSayWhatAllSay) {
  const HiddenNodes problem = hidden_nodes(300, 100, GetParam(), 2);
  EngineOptions options;
  options.keep_stages = true;
  const Fit fit = thinned(problem, options);
  const auto& stages = fit.report.stages;
  ASSERT_EQ(fit.report.path.size(), stages.size());
  const auto reference = std::ranges::find_if(
      fit.report.path, [](const PathPoint& point) { return point.active.size() < 100; });
  ASSERT_NE(reference, fit.report.path.begin());
  ASSERT_NE(reference, fit.report.path.end());
  const auto f_of = [&](const PathPoint& point) -> Vector {
    return (problem.phi(Eigen::all, point.active) * point.mean).array() + point.bias;
  };
  const Vector all = f_of(*(reference - 1)), few = f_of(fit.report.path.back());
  EXPECT_LT(fit.posterior.active.size(), 75u);
  const double spread = std::sqrt((all.array() - all.mean()).square().mean());
  const bool classes = GetParam() == Likelihood::bernoulli;
  const double beside = classes ? 1.82 : std::sqrt(fit.posterior.noise_variance);
  EXPECT_LT(std::sqrt((all - few).squaredNorm() / 300), 0.1 * std::hypot(spread, beside));
  // Sizes grow.
  for (auto stage = reference + 1; stage != fit.report.path.end(); ++stage) {
    EXPECT_GT(stage->active.size(), (stage - 1)->active.size());
  }
  EXPECT_EQ(fit.report.path.back().active, fit.posterior.active);
  EXPECT_EQ(fit.report.path.back().mean, fit.posterior.mean);
}

TEST(ThinnedOfClasses, TheModelIsTheModeOfTheRowsNotOfTheReference) {
  const HiddenNodes problem = hidden_nodes(200, 60, Likelihood::bernoulli, 3);
  const Posterior posterior = thinned(problem).posterior;
  Vector residual, curvature;
  bernoulli::derivatives(problem.target.t, predictor(problem.phi, posterior), residual, curvature);
  const Vector slope = problem.phi(Eigen::all, posterior.active).transpose() * residual -
                       posterior.alpha.cwiseProduct(posterior.mean);
  EXPECT_LT(slope.cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_FALSE(posterior.plug_in) << "probabilities are moderated";
  EXPECT_EQ(posterior.covariance.rows(), std::ssize(posterior.active) + 1);
}

TEST_P(Thinned, ARowOfWeightTwoIsTheRowTwice) {
  const HiddenNodes problem = hidden_nodes(120, 40, GetParam(), 4);
  HiddenNodes weighted = problem, repeated = problem;
  weighted.target.weights = Vector::Ones(120);
  std::vector<Index> rows;
  for (Index i = 0; i < 120; ++i) {
    rows.push_back(i);
    if (i % 3 != 0) continue;
    rows.push_back(i);
    weighted.target.weights[i] = 2;
  }
  repeated.phi = problem.phi(rows, Eigen::all);
  repeated.target.t = problem.target.t(rows);
  const Posterior one = thinned(weighted).posterior, other = thinned(repeated).posterior;
  ASSERT_EQ(one.active, other.active);
  EXPECT_LT((one.mean - other.mean).norm(), 1e-6 * other.mean.norm());
}

TEST_P(Thinned, ProgressMayStopItAndStagesMayBeFew) {
  const HiddenNodes problem = hidden_nodes(120, 40, GetParam(), 5);
  const Index all = std::ssize(thinned(problem).report.stages);
  for (Index most = 1; most <= all; ++most) {
    Index seen = 0;
    const Fit stopped = fit_thinned(DenseDesign(problem.phi), problem.target, {},
                                    [&](const ProgressEvent&) { return ++seen < most; });
    EXPECT_EQ(stopped.report.status, Status::stopped);
    EXPECT_EQ(std::ssize(stopped.report.stages), most);
    EngineOptions options;
    options.max_stages = most;
    const Fit limited = thinned(problem, options);
    EXPECT_EQ(std::ssize(limited.report.stages), most);
    EXPECT_EQ(limited.report.status, most < all ? Status::iteration_limit : Status::converged);
  }
}

TEST_P(Thinned, AFitInPartsEndsWhereOneFitEnds) {
  const HiddenNodes problem = hidden_nodes(150, 60, GetParam(), 8);
  const Fit whole = thinned(problem);
  EngineOptions options;
  options.max_stages = 12;
  Fit part = thinned(problem, options);
  Index parts = 1;
  for (; part.report.status != Status::converged && parts < 20; ++parts) {
    const Posterior& from = part.posterior;
    options.starting_point = std::make_shared<const StartingPoint>(
        StartingPoint{from.active, from.alpha, from.mean, from.bias, from.noise_variance});
    part = thinned(problem, options);
  }
  EXPECT_GT(parts, 1);
  ASSERT_EQ(part.posterior.active, whole.posterior.active);
  EXPECT_LT((part.posterior.mean - whole.posterior.mean).norm(),
            1e-4 * whole.posterior.mean.norm());
}

TEST(ThinnedOfClasses, ATargetOfNoiseKeepsNextToNothing) {
  HiddenNodes problem = hidden_nodes(200, 60, Likelihood::bernoulli, 6);
  Random random(7);
  for (double& t : problem.target.t) t = random.uniform(0, 1) < 0.5;
  EXPECT_LE(thinned(problem).posterior.active.size(), 3u);
}

}  // namespace
}  // namespace ardent
