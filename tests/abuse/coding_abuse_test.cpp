// Sparse codes of nasty signals over nasty dictionaries.
#include <gtest/gtest.h>

#include <cmath>

#include "abuse/abuse_run.h"
#include "abuse/nasty_problem.h"
#include "ardent/estimators/sparse_coder.h"

namespace ardent {
namespace {

CoderOptions nasty_coder_options(Random& random) {
  CoderOptions options;
  if (random.below(2) == 0) options.method = "lasso";
  const std::array lambdas{1e-300, 1e-100, 1e-9, 1.0, 1e30};
  const std::array ratios{1e-12, 0.1, 1.0};
  if (random.below(3) == 0) {
    options.lambda = abuse::pick(random, lambdas);
  } else if (options.method == "lasso" || random.below(2) == 0) {
    options.lambda_ratio = abuse::pick(random, ratios);
  }
  options.nonnegative = random.below(3) == 0;
  options.unit_norm = random.below(3) == 0;
  const std::array tests{ScreenTest::gap, ScreenTest::none, ScreenTest::sphere, ScreenTest::dome,
                         ScreenTest::two_hyperplane};
  options.screening = abuse::pick(random, tests);
  if (random.below(4) == 0) options.code_start = CodeStart::ones;
  if (random.below(4) == 0) options.lambda_steps = 4;
  return options;
}

void expect_proper_codes(const CodedSignals& coded, const std::string& story) {
  for (const double value : coded.codes.values) EXPECT_TRUE(std::isfinite(value)) << story;
  for (const double variance : coded.variances) {
    EXPECT_TRUE(std::isfinite(variance) && variance >= 0) << story << "\n  " << variance;
  }
  for (const SignalReport& report : coded.reports) {
    EXPECT_TRUE(std::isfinite(report.lambda) && std::isfinite(report.gap)) << story;
    EXPECT_TRUE(std::isfinite(report.loss)) << story;
  }
}

TEST(CodingAbuse, CodesAreFiniteOrRefused) {
  const auto code = [&](std::uint64_t seed, std::string& story) {
    const abuse::NastyProblem problem = abuse::nasty_problem(seed);
    Random random(seed, 3);
    const CoderOptions options = nasty_coder_options(random);
    story = fmt::format("code by {} lambda {:g} ratio {:g}, {}", options.method, options.lambda,
                        options.lambda_ratio, problem.story);
    // Atoms are the columns; signals are the target, an atom, and nothing.
    Matrix signals(3, problem.x.rows());
    signals.row(0) = problem.numbers.transpose();
    signals.row(1) = problem.x.col(random.below(problem.x.cols())).transpose();
    signals.row(2).setZero();
    SparseCoder coder(abuse::dense_rows(problem.x.transpose()), options);
    expect_proper_codes(coder.code(abuse::dense_rows(signals), abuse::patience()), story);
  };
  // Coefficients of 1e160 whose objective came out as less than is possible: no finite gap.
  abuse::run_abuse("codes", 300, code, {1002484, 1005535, 1005795});
}

}  // namespace
}  // namespace ardent
