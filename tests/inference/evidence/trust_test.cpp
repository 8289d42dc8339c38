// Each warning in a fit in which it fires and in one in which it does not.
#include "ardent/inference/evidence/trust.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ardent/inference/engines/diagonal.h"
#include "ardent/inference/engines/probes.h"
#include "ardent/inference/path/path.h"
#include "ardent/inference/sequential/growing.h"
#include "ardent/published/dqn.h"
#include "inference/fit_dense.h"
#include "problems/regression.h"

namespace ardent {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> warnings_of(const SpentRows& spent) {
  std::vector<std::string> warnings;
  warn_of_overfit(spent, warnings);
  return warnings;
}

TEST(Trust, RowsUsedUp) {
  const auto noise = problems::planted_regression(50, 100, 0, 1.0, 1);
  const auto signal = problems::planted_regression(200, 20, 5, 1.0, 1);
  for (const auto regress : {exact_regress, sequential_regress}) {
    const Fit fitted = regress(noise.phi, noise.t, {});
    EXPECT_THAT(fitted.report.warnings, Contains(HasSubstr("the weights use up")));
    EXPECT_THAT(fitted.report.warnings, Contains(HasSubstr("support-prior beta-binomial")));
    EXPECT_TRUE(regress(signal.phi, signal.t, {}).report.warnings.empty());
  }
}

TEST(Trust, IntervalsTooNarrow) {
  EXPECT_THAT(warnings_of({100, 95, 5.0}), Contains(HasSubstr("use up the data (95 of 100 rows)")));
  EXPECT_THAT(warnings_of({100, 60, 5.0}), Contains(HasSubstr("60 of 100 rows")));
  EXPECT_THAT(warnings_of({100, 60, 5.0}), Contains(HasSubstr("intervals are too narrow")));
  EXPECT_THAT(warnings_of({100, 60, std::nullopt}),
              Contains(HasSubstr("probabilities are too sure")));
  EXPECT_TRUE(warnings_of({100, 40, 5.0}).empty());
  EXPECT_TRUE(warnings_of({100, 40, std::nullopt}).empty());
}

TEST(Trust, PerfectFit) {
  const auto clean = problems::planted_regression(50, 4, 3, 0.0, 15);
  const auto noisy = problems::planted_regression(50, 4, 3, 0.1, 15);
  for (const auto regress : {exact_regress, sequential_regress}) {
    EXPECT_THAT(regress(clean.phi, clean.t, {}).report.warnings,
                Contains(HasSubstr("fitted perfectly")));
    EXPECT_THAT(regress(noisy.phi, noisy.t, {}).report.warnings,
                Not(Contains(HasSubstr("fitted perfectly"))));
  }
  const auto diagonal = [](const problems::Regression& problem) {
    return fit_diagonal(DenseDesign(problem.phi), {Likelihood::gaussian, problem.t})
        .report.warnings;
  };
  EXPECT_THAT(diagonal(clean), Contains(HasSubstr("fitted perfectly")));
  EXPECT_TRUE(diagonal(noisy).empty());
}

/// sin(x) and noise on kernels of this width, one on each row.
problems::Regression kernel_regression(double width) {
  Random random(3);
  const Vector x = Vector::LinSpaced(60, -3, 3);
  problems::Regression problem{Matrix(60, 60), Vector(60), {}};
  for (Index i = 0; i < 60; ++i) {
    problem.phi.col(i) = (-(x.array() - x[i]).square() / (width * width)).exp();
    problem.t[i] = std::sin(x[i]) + 0.3 * random.normal();
  }
  return problem;
}

/// Kernels so narrow that every row has its own basis function: the noise stays positive.
TEST(Trust, NarrowKernelsDoNotTakeTheNoiseToZero) {
  const auto narrow = kernel_regression(0.05), wide = kernel_regression(1);
  const double variance = (narrow.t.array() - narrow.t.mean()).square().mean();
  for (const Engine engine : {fit_exact, fit_sequential, fit_growing}) {
    const auto regress = [&](const problems::Regression& problem) {
      return engine(DenseDesign(problem.phi), {Likelihood::gaussian, problem.t}, {}, {});
    };
    const Fit fit = regress(narrow);
    EXPECT_GT(fit.posterior.noise_variance, 1e-6 * variance);
    EXPECT_THAT(fit.report.warnings, Contains(HasSubstr("the weights use up")));
    EXPECT_THAT(fit.report.warnings, Contains(HasSubstr("a wider kernel")));
    EXPECT_TRUE(regress(wide).report.warnings.empty());
  }
}

/// Those that never form a Hessian. The path, whose stop held-out rows choose, does not get there.
TEST(Trust, LargeEnginesSayWhereRowsAreUsedUp) {
  const auto noise = problems::planted_regression(50, 100, 0, 1.0, 1);
  const auto signal = problems::planted_regression(200, 20, 5, 1.0, 1);
  const auto warnings = [](const Engine engine, const problems::Regression& problem) {
    return engine(DenseDesign(problem.phi), {Likelihood::gaussian, problem.t}, {}, {})
        .report.warnings;
  };
  for (const Engine engine : {fit_diagonal, fit_probes, fit_dqn}) {
    EXPECT_THAT(warnings(engine, noise), Contains(HasSubstr("the weights use up")));
    EXPECT_TRUE(warnings(engine, signal).empty());
  }
  EXPECT_THAT(warnings(fit_path, noise), Not(Contains(HasSubstr("the weights use up"))));
  EXPECT_TRUE(warnings(fit_path, signal).empty());
}

/// A column and its negative, in so many rows that the prior of their shares is lost to rounding.
TEST(Trust, ColumnsThatDependOnEachOtherToRounding) {
  const auto plain = problems::planted_regression(50, 4, 3, 0.1, 21);
  Matrix twice(50, 5);
  twice << plain.phi, -plain.phi.col(0);
  const auto warnings = [&](const Matrix& phi, double count) {
    const Target target{Likelihood::gaussian, plain.t, Vector::Constant(50, count)};
    EngineOptions options;
    options.max_stages = 5;
    return fit_exact(DenseDesign(phi), target, options).report.warnings;
  };
  EXPECT_THAT(warnings(twice, 1e14), Contains(HasSubstr("depend on each other to rounding")));
  EXPECT_THAT(warnings(twice, 1), Not(Contains(HasSubstr("depend on each other"))));
  EXPECT_THAT(warnings(plain.phi, 1e14), Not(Contains(HasSubstr("depend on each other"))));
}

}  // namespace
}  // namespace ardent
