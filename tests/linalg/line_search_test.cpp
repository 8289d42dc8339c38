#include "ardent/linalg/line_search.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ardent {
namespace {

using Function = std::function<LinePoint(double)>;

void expect_strong_wolfe(const Function& along, double first, const WolfeOptions& options = {}) {
  const LinePoint start = along(0);
  const LineResult result = strong_wolfe(along, start, first, options);
  ASSERT_TRUE(result.satisfied) << "first step " << first;
  const LinePoint at = along(result.point.step);
  EXPECT_LE(at.value, start.value + options.c1 * at.step * start.slope);
  EXPECT_LE(std::abs(at.slope), options.c2 * std::abs(start.slope));
}

LinePoint quadratic(double s) {
  return {s, 0.5 * (s - 3) * (s - 3), s - 3};
}
LinePoint logistic(double s) {
  return {s, std::log1p(std::exp(2 - s)) + 0.01 * s * s, -1 / (1 + std::exp(s - 2)) + 0.02 * s};
}
/// Moré and Thuente's first test function, β = 2.
LinePoint more_thuente(double s) {
  const double d = s * s + 2;
  return {s, -s / d, (s * s - 2) / (d * d)};
}

TEST(StrongWolfe, HoldsFromShortAndLongFirstSteps) {
  for (const double first : {1e-3, 0.1, 1.0, 10.0, 1e3}) {
    expect_strong_wolfe(quadratic, first);
    expect_strong_wolfe(logistic, first);
    expect_strong_wolfe(more_thuente, first);
    expect_strong_wolfe(quadratic, first, {.c1 = 1e-4, .c2 = 0.1});
    expect_strong_wolfe(more_thuente, first, {.c1 = 1e-3, .c2 = 0.1});
  }
}

TEST(StrongWolfe, AGoodFirstStepIsTakenAtOnce) {
  const LineResult result = strong_wolfe(quadratic, quadratic(0), 3);
  EXPECT_EQ(result.evaluations, 1);
  EXPECT_EQ(result.point.step, 3);
}

TEST(StrongWolfe, AnEndlessDescentStopsAtTheLimitWithTheLowestPoint) {
  const Function down = [](double s) -> LinePoint { return {s, -s, -1}; };
  const LineResult result = strong_wolfe(down, down(0), 1, {.max_evaluations = 7});
  EXPECT_FALSE(result.satisfied);
  EXPECT_EQ(result.evaluations, 7);
  EXPECT_LT(result.point.value, -100);
}

TEST(StrongWolfe, NoDecreaseGivesStepZero) {
  // The slope at 0 lies: every step goes up.
  const Function up = [](double s) -> LinePoint { return {s, s, s == 0 ? -1.0 : 1.0}; };
  const LineResult result = strong_wolfe(up, up(0), 1, {.max_evaluations = 10});
  EXPECT_FALSE(result.satisfied);
  EXPECT_EQ(result.point.step, 0);
}

}  // namespace
}  // namespace ardent
