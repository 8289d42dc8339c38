#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/error.h"
#include "ardent/inference/coding/weighted_lasso.h"
#include "ardent/published/screening/screen.h"
#include "inference/coding/hazardous_problems.h"

namespace ardent {
namespace {

using problems::CodingProblem;
using problems::dictionary_of;
using problems::hazardous_problem;
using problems::random_matrix;
using problems::random_vector;

constexpr ScreenTest kTests[] = {ScreenTest::sphere, ScreenTest::dome, ScreenTest::two_hyperplane,
                                 ScreenTest::gap};
constexpr Ball kBalls[] = {Ball::paper, Ball::half};

std::string tell(ScreenTest test, Ball ball, std::uint64_t seed) {
  return "test " + std::to_string(static_cast<int>(test)) +
         (ball == Ball::paper ? ", paper" : ", half") + " ball, problem " + std::to_string(seed);
}

/// Screening was not used to find it.
LassoResult solve_unscreened(const CodingProblem& p, bool nonnegative) {
  return weighted_lasso(*p.dictionary, p.signal, p.penalties, p.lambda,
                        {.tolerance = 1e-12, .nonnegative = nonnegative, .gap_screening = false});
}

TEST(Screening, NoTestRejectsAnActiveAtom) {
  Index rejected = 0;
  Index active = 0;
  for (std::uint64_t seed = 0; seed < 2400; ++seed) {
    CodingProblem p = hazardous_problem(seed);
    const bool nonnegative = seed % 4 == 3;
    if (nonnegative) p.penalties = p.penalties.cwiseMax(0.1);
    const SparseCode solution = solve_unscreened(p, nonnegative).code;
    active += std::ssize(solution.active);
    for (const ScreenTest test : kTests) {
      for (const Ball ball : kBalls) {
        const auto result =
            screen(*p.dictionary, p.signal, p.penalties, p.lambda, {test, ball}, nonnegative);
        rejected += result.rejected;
        EXPECT_TRUE(std::ranges::includes(result.kept, solution.active)) << tell(test, ball, seed);
      }
    }
  }
  EXPECT_GT(rejected, 100000);  // a test that rejects nothing is safe, too
  EXPECT_GT(active, 5000);
}

/// The support of one solution says nothing about others: where atoms coincide, each of them may be
/// the active one. So none whose constraint is tight at the dual optimum may go.
TEST(Screening, NoTestRejectsAnAtomWhoseConstraintIsTight) {
  for (std::uint64_t seed = 0; seed < 2400; ++seed) {
    const CodingProblem p = hazardous_problem(seed);
    const SparseCode solution = solve_unscreened(p, false).code;
    const Vector residual = p.signal - p.dictionary->combine(solution.active, solution.theta);
    const Vector w = p.lambda * p.penalties;
    for (const ScreenTest test : kTests) {
      const auto result =
          screen(*p.dictionary, p.signal, p.penalties, p.lambda, {test, Ball::half});
      for (Index i = 0; i < w.size(); ++i) {
        if (!(w[i] > 0) || std::isinf(w[i]) || solution.active.empty()) continue;
        const bool tight = std::abs(p.phi.col(i).dot(residual)) >= w[i];
        if (!tight) continue;
        EXPECT_TRUE(std::ranges::binary_search(result.kept, i))
            << "atom " << i << ", " << tell(test, Ball::half, seed);
      }
    }
  }
}

TEST(Screening, SolutionsAreTheSameWithAndWithout) {
  Index compared = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const CodingProblem p = hazardous_problem(seed);
    if (p.signal.norm() == 0 || p.penalties.minCoeff() == 0) continue;
    const LassoResult whole = solve_unscreened(p, false);
    const Vector fit = p.dictionary->combine(whole.code.active, whole.code.theta);
    for (const ScreenTest test : kTests) {
      const auto screening = screen(*p.dictionary, p.signal, p.penalties, p.lambda, {test});
      Vector penalties = Vector::Constant(p.penalties.size(), kNeverUsed);
      penalties(screening.kept) = p.penalties(screening.kept);
      const LassoResult part = weighted_lasso(*p.dictionary, p.signal, penalties, p.lambda,
                                              {.tolerance = 1e-12, .gap_screening = false});
      const Vector part_fit = p.dictionary->combine(part.code.active, part.code.theta);
      EXPECT_LT((fit - part_fit).norm(), 1e-9 * p.signal.norm()) << tell(test, Ball::half, seed);
      EXPECT_NEAR(part.report.objective, whole.report.objective, 1e-9 * whole.report.objective);
      if (!p.unique) continue;
      ++compared;
      ASSERT_EQ(part.code.active, whole.code.active) << tell(test, Ball::half, seed);
      EXPECT_LE((part.code.theta - whole.code.theta).norm(), 1e-9 * whole.code.theta.norm())
          << tell(test, Ball::half, seed);
    }
  }
  EXPECT_GT(compared, 300);
}

TEST(Screening, DynamicRejectionLeavesTheSolutionAlone) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const CodingProblem p = hazardous_problem(seed);
    if (!p.unique) continue;
    const auto whole = solve_unscreened(p, false);
    const auto screened =
        weighted_lasso(*p.dictionary, p.signal, p.penalties, p.lambda, {.tolerance = 1e-12});
    ASSERT_EQ(screened.code.active, whole.code.active) << seed;
    EXPECT_LE((screened.code.theta - whole.code.theta).norm(), 1e-9 * whole.code.theta.norm());
  }
}

TEST(Screening, ATighterRegionRejectsMore) {
  const Matrix phi = random_matrix(40, 400, 5).colwise().normalized();
  const auto dictionary = dictionary_of(phi);
  const Vector y = phi.leftCols(3) * Vector::Ones(3) + 0.05 * random_vector(40, 6);
  const double largest = (phi.transpose() * y).cwiseAbs().maxCoeff();
  const Vector ones = Vector::Ones(400);
  const auto rejected = [&](ScreenTest test, Ball ball, double ratio) {
    return screen(*dictionary, y, ones, ratio * largest, {test, ball}).rejected;
  };
  for (const double ratio : {0.4, 0.5, 0.7, 0.9}) {
    for (const Ball ball : kBalls) {
      EXPECT_LE(rejected(ScreenTest::sphere, ball, ratio), rejected(ScreenTest::dome, ball, ratio));
      EXPECT_LE(rejected(ScreenTest::dome, ball, ratio),
                rejected(ScreenTest::two_hyperplane, ball, ratio));
    }
    for (const ScreenTest test :
         {ScreenTest::sphere, ScreenTest::dome, ScreenTest::two_hyperplane}) {
      EXPECT_LE(rejected(test, Ball::paper, ratio), rejected(test, Ball::half, ratio));
    }
  }
  EXPECT_GT(rejected(ScreenTest::two_hyperplane, Ball::half, 0.4),
            rejected(ScreenTest::dome, Ball::half, 0.4));
  EXPECT_EQ(rejected(ScreenTest::two_hyperplane, Ball::half, 1.1), 400);
  EXPECT_EQ(rejected(ScreenTest::none, Ball::half, 0.5), 0);
}

TEST(Screening, GapTestRejectsMoreTheBetterTheCode) {
  const Matrix phi = random_matrix(40, 400, 7).colwise().normalized();
  const auto dictionary = dictionary_of(phi);
  const Vector y = random_vector(40, 8);
  const Vector rho = phi.transpose() * y;
  const Vector w = Vector::Constant(400, 0.2 * rho.cwiseAbs().maxCoeff());
  const LassoProblem problem{*dictionary, y, rho, w};
  const auto solution =
      weighted_lasso(*dictionary, y, Vector::Ones(400), w[0], {.tolerance = 1e-12}).code;
  const Index at_zero = screen(problem, {ScreenTest::gap}).rejected;
  const Index at_solution = screen(problem, {ScreenTest::gap}, nullptr, solution).rejected;
  EXPECT_LT(at_zero, 40);
  EXPECT_GT(at_solution, 300);
}

TEST(Screening, NamesAreReadAndRefused) {
  EXPECT_EQ(parse_screen_test("tht"), ScreenTest::two_hyperplane);
  EXPECT_EQ(parse_ball("paper"), Ball::paper);
  EXPECT_THROW(parse_screen_test("edpp"), InputError);
  EXPECT_THROW(parse_ball("third"), InputError);
}

}  // namespace
}  // namespace ardent
