#include "ardent/inference/evidence/bernoulli.h"

#include <gtest/gtest.h>

#include <numbers>

namespace ardent {
namespace {

TEST(Bernoulli, DerivativesMatchFiniteDifferences) {
  const double step = 1e-5;
  for (const double t : {0.0, 1.0}) {
    for (const double f : {-6.0, -1.3, 0.0, 0.4, 5.0}) {
      const auto value = [&](double at) {
        return bernoulli::log_likelihood(Vector::Constant(1, t), Vector::Constant(1, at));
      };
      Vector residual, curvature;
      bernoulli::derivatives(Vector::Constant(1, t), Vector::Constant(1, f), residual, curvature);
      EXPECT_NEAR(residual[0], (value(f + step) - value(f - step)) / (2 * step), 1e-9);
      EXPECT_NEAR(curvature[0], -(value(f + step) - 2 * value(f) + value(f - step)) / (step * step),
                  1e-5);
    }
  }
}

TEST(Bernoulli, KnownValues) {
  const Vector t = (Vector(2) << 0, 1).finished();
  EXPECT_DOUBLE_EQ(bernoulli::log_likelihood(t, Vector::Zero(2)), -2 * std::numbers::ln2);
  EXPECT_NEAR(bernoulli::log1p_exp(1), 1.3132616875182228, 1e-15);
  EXPECT_NEAR(bernoulli::sigmoid(-2), 0.11920292202211755, 1e-16);
}

TEST(Bernoulli, LargePredictorsNeitherOverflowNorVanish) {
  const Vector t = (Vector(4) << 0, 1, 0, 1).finished();
  const Vector f = (Vector(4) << 800, -800, -40, 40).finished();
  Vector residual, curvature;
  bernoulli::derivatives(t, f, residual, curvature);
  EXPECT_DOUBLE_EQ(bernoulli::log_likelihood(t.head(1), f.head(1)), -800);
  EXPECT_DOUBLE_EQ(bernoulli::log_likelihood(t.tail(1), f.tail(1)), -std::exp(-40.0));
  EXPECT_TRUE(residual.allFinite());
  EXPECT_DOUBLE_EQ(residual[3], std::exp(-40.0));  // 1 − σ(40) would be 0
  EXPECT_DOUBLE_EQ(curvature[2], std::exp(-40.0));
}

}  // namespace
}  // namespace ardent
