#include "ardent/inference/coding/lasso_group.h"

#include <gtest/gtest.h>

#include "ardent/base/parallel.h"
#include "hazardous_problems.h"

namespace ardent {
namespace {

using problems::dictionary_of;
using problems::random_matrix;

/// Signals over one dictionary, at penalties from so large that the code is zero to small ones.
struct GroupProblem {
  Matrix phi = random_matrix(45, 700, 1);
  std::unique_ptr<Dictionary> dictionary = dictionary_of(phi);
  std::vector<Vector> signals, rho, weights;
  std::vector<LassoProblem> problems;

  explicit GroupProblem(bool nonnegative) {
    phi.col(5) = phi.col(6);  // dependent atoms, too
    dictionary = dictionary_of(phi);
    const Matrix y = random_matrix(45, 37, 2);
    Matrix products;
    dictionary->correlate(y, products);
    for (Index k = 0; k < y.cols(); ++k) {
      const double ratio = 1.1 / static_cast<double>(1 + k);
      signals.emplace_back(y.col(k));
      rho.emplace_back(products.col(k));
      weights.push_back(Vector::Constant(700, ratio * products.col(k).cwiseAbs().maxCoeff()));
      weights.back()[3] = kNeverUsed;
    }
    for (std::size_t k = 0; k < signals.size(); ++k) {
      problems.push_back({*dictionary, signals[k], rho[k], weights[k], nonnegative});
    }
  }
};

void expect_same(const LassoResult& found, const LassoResult& expected) {
  EXPECT_EQ(found.code.active, expected.code.active);
  EXPECT_EQ(found.code.theta, expected.code.theta);
  EXPECT_EQ(found.report.status, expected.report.status);
  EXPECT_EQ(found.report.gap, expected.report.gap);
  EXPECT_EQ(found.report.rounds, expected.report.rounds);
  EXPECT_EQ(found.report.rejected, expected.report.rejected);
}

TEST(LassoGroup, EachHasTheBitsOfASolveAloneOnAnyNumberOfThreads) {
  for (const bool nonnegative : {false, true}) {
    const GroupProblem p(nonnegative);
    const LassoOptions options{.tolerance = 1e-9, .nonnegative = nonnegative};
    const auto together = solve_group(*p.dictionary, p.problems, options);
    const ThreadScope eight(8);
    const auto in_parallel = solve_group(*p.dictionary, p.problems, options);
    ASSERT_EQ(together.size(), p.problems.size());
    EXPECT_TRUE(together[0].code.active.empty());
    EXPECT_GT(together[36].code.active.size(), 15u);
    for (std::size_t k = 0; k < p.problems.size(); ++k) {
      ResidualCorrelations correlations(p.problems[k]);
      const auto alone = solve_working_sets(p.problems[k], correlations, options, {});
      EXPECT_EQ(alone.report.status, Status::converged);
      expect_same(together[k], alone);
      expect_same(in_parallel[k], alone);
    }
  }
}

TEST(LassoGroup, OfNothingIsNothing) {
  const GroupProblem p(false);
  EXPECT_TRUE(solve_group(*p.dictionary, {}, {}).empty());
}

}  // namespace
}  // namespace ardent
