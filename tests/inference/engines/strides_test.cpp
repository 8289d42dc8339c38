// Long steps of the precisions: against the evidence of one column on a grid, the rule of the
// strides in small cases, and where the fits that take them end.
#include "ardent/inference/engines/strides.h"

#include <gmock/gmock.h>

#include <cmath>

#include "ardent/base/random.h"
#include "ardent/design/dense.h"
#include "ardent/inference/engines/ard_state.h"
#include "ardent/inference/engines/diagonal.h"
#include "problems/regression.h"

namespace ardent {
namespace {

/// E_k of strides.h, with libm.
double evidence_of(double alpha, double data, double square) {
  return 0.5 * (std::log(alpha / (alpha + data)) + square / (alpha + data));
}

struct Column {
  double alpha, w, hessian;
  double data() const { return hessian - alpha; }
  double square() const { return w * hessian * w * hessian; }
  double evidence(double at) const { return evidence_of(at, data(), square()); }
};

Column random_column(Random& random) {
  const double alpha = std::exp(4 * random.normal()), data = std::exp(2 * random.normal());
  const double signal = std::exp(2 * random.normal());  // q²/S
  return {alpha, std::sqrt(signal * data) / (alpha + data), alpha + data};
}

/// The highest E_k of a fine grid of log alpha.
double highest(const Column& column) {
  double best = -INFINITY;
  for (double x = -40; x < 80; x += 1e-3) best = std::max(best, column.evidence(std::exp(x)));
  return best;
}

TEST(Strides, NoStepPassesTheBestPlaceOfItsColumn) {
  Random random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const Column column = random_column(random);
    for (const double last : {-300.0, -1.0, 1.0, 300.0}) {
      const ColumnStep step = long_step(column.alpha, column.w, column.hessian, last, INFINITY);
      if (!std::isfinite(step.alpha)) {
        EXPECT_LT(column.square(), column.data());  // its best place is ∞
        continue;
      }
      const double guarded = guarded_update(column.alpha, column.w, 1 / column.hessian);
      const double rounding = 1e-12 * (1 + std::abs(column.evidence(column.alpha)));
      EXPECT_GE(column.evidence(step.alpha), column.evidence(column.alpha) - rounding);
      EXPECT_GE(std::abs(std::log(step.alpha / column.alpha)),
                std::abs(std::log(guarded / column.alpha)) - 1e-12);
      EXPECT_EQ(step.alpha < column.alpha, guarded < column.alpha);
    }
  }
}

TEST(Strides, PromiseIsWhatTheBestPlaceWouldAdd) {
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    const Column column = random_column(random);
    const double promise = long_step(column.alpha, column.w, column.hessian, 0, INFINITY).promise;
    EXPECT_NEAR(promise, highest(column) - column.evidence(column.alpha), 1e-6);
  }
}

TEST(Strides, GrowWhereTheStepGoesOnAndShrinkWhereItTurns) {
  const Column rising{1, 1e-4, 2};  // no signal: alpha wants to rise
  const auto stride = [&](double last, double longest) {
    return long_step(rising.alpha, rising.w, rising.hessian, last, longest).stride;
  };
  EXPECT_EQ(stride(0, INFINITY), 1);
  EXPECT_EQ(stride(1, INFINITY), kStrideGrowth);
  EXPECT_EQ(stride(4, INFINITY), 16);
  EXPECT_EQ(stride(4, 8), 8);
  EXPECT_EQ(stride(-16, INFINITY), 4);
  EXPECT_EQ(stride(-2, INFINITY), 1);
  EXPECT_EQ(stride(4, 1), 1);
}

TEST(Strides, AFallOfTheEvidenceLimitsThemAllUnlessColumnsWereDroppedForTheirPrice) {
  ArdState state;
  state.columns = {0, 1};
  state.strides = {.lengths = Vector{{16, -4}}, .stages = 9, .evidence = -10, .columns = 2};
  state.evidence = -10.05;  // within what is permitted
  EXPECT_EQ(next_strides(state).longest, INFINITY);
  EXPECT_EQ(next_strides(state).lengths, (Vector{{16, -4}}));
  state.evidence = -10.2;
  for (const double longest : {64.0, 16.0, 4.0, 1.0, 1.0}) {
    const Strides next = next_strides(state);
    EXPECT_EQ(next.longest, longest);
    EXPECT_EQ(next.lengths, (Vector{{1, -1}}));
    state.strides.longest = next.longest;
  }
  state.strides.longest = INFINITY;
  state.strides.columns = 3;
  EXPECT_EQ(next_strides(state).longest, 64);
  state.support = SupportPrior(100);
  EXPECT_EQ(next_strides(state).longest, INFINITY);
}

Vector fitted(const Matrix& phi, const Posterior& posterior) {
  Vector f = Vector::Constant(phi.rows(), posterior.bias);
  for (std::size_t k = 0; k < posterior.active.size(); ++k) {
    f += posterior.mean[static_cast<Index>(k)] * phi.col(posterior.active[k]);
  }
  return f;
}

TEST(Strides, ConvergedIsWhereTenTimesAsManyStagesLead) {
  // Columns that overlap: the guarded update alone needs hundreds of stages.
  auto problem = problems::planted_classification(600, 200, 8, 1.2, 31);
  for (Index k = 8; k < 200; ++k) problem.phi.col(k) += 0.5 * problem.phi.col(k % 8);
  const Target target{Likelihood::bernoulli, problem.t, {}};
  const Fit fit = fit_diagonal(DenseDesign(problem.phi), target);
  ASSERT_EQ(fit.report.status, Status::converged);
  const auto stages = std::ssize(fit.report.stages);
  EXPECT_LT(stages, 100);
  const Fit more = fit_diagonal(DenseDesign(problem.phi), target,
                                {.tolerance = 1e-14, .max_stages = 10 * stages});
  ASSERT_GT(std::ssize(more.report.stages), 5 * stages);
  EXPECT_NEAR(more.report.stages.back().log_evidence, fit.report.stages.back().log_evidence,
              1e-3 * 600);
  const Vector f = fitted(problem.phi, fit.posterior);
  EXPECT_LT((fitted(problem.phi, more.posterior) - f).lpNorm<Eigen::Infinity>(),
            0.05 * f.lpNorm<Eigen::Infinity>());
}

Index first_newton_steps(const Fit& fit) {
  Index steps = 0;
  for (std::size_t s = 0; s < kFirstLongStage; ++s) steps += fit.report.stages.at(s).newton_steps;
  return steps;
}

TEST(Strides, FirstModesOfWideProblemsAreLooseUnlessStagesAreKept) {
  const auto wide = problems::planted_classification(200, 1500, 8, 1.2, 5);
  const auto fit = [](const auto& problem, const EngineOptions& options) {
    return fit_diagonal(DenseDesign(problem.phi), {Likelihood::bernoulli, problem.t, {}}, options);
  };
  const Fit loose = fit(wide, {}), kept = fit(wide, {.keep_stages = true});
  EXPECT_LT(first_newton_steps(loose), first_newton_steps(kept));
  EXPECT_EQ(loose.report.status, kept.report.status);
  EXPECT_GT(loose.posterior.log_evidence, kept.posterior.log_evidence - 5);
  // A few stages end at a mode that somebody asked for.
  EXPECT_EQ(fit(wide, {.max_stages = 3}).posterior.mean,
            fit(wide, {.max_stages = 3, .keep_stages = true}).posterior.mean);
  const auto tall = problems::planted_classification(300, 40, 8, 1.2, 5);
  EXPECT_EQ(fit(tall, {}).posterior.mean, fit(tall, {.keep_stages = true}).posterior.mean);
}

}  // namespace
}  // namespace ardent
