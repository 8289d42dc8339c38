#include "ardent/linalg/conjugate_gradient.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "ardent/base/random.h"

namespace ardent {
namespace {

struct System {
  Matrix h;
  Vector b;
  std::function<void(const Vector&, Vector&)> product = [this](const Vector& v, Vector& out) {
    out = h * v;
  };
};

/// SPD with column scales from 1 to 1e4, which the Jacobi preconditioner must undo.
System badly_scaled(Index n, std::uint64_t seed) {
  Random random(seed);
  System system{Matrix(2 * n, n), Vector(n)};
  Matrix a(2 * n, n);
  for (auto& x : a.reshaped()) x = random.normal();
  for (Index k = 0; k < n; ++k) {
    a.col(k) *= std::pow(10.0, 4.0 * static_cast<double>(k) / static_cast<double>(n));
    system.b[k] = random.normal();
  }
  system.h = a.transpose() * a;
  return system;
}

TEST(ConjugateGradient, EqualsCholesky) {
  const System system = badly_scaled(40, 1);
  Vector x = Vector::Zero(40);
  const auto report = conjugate_gradient(system.product, system.h.diagonal(), system.b, x,
                                         {.tolerance = 1e-12, .max_iterations = 400});
  const Vector expected = system.h.llt().solve(system.b);
  EXPECT_LT((x - expected).norm(), 1e-9 * expected.norm());
  EXPECT_LE(report.residual, 1e-12);
  EXPECT_LT(report.iterations, 200);
}

TEST(ConjugateGradient, StopsAtTheToleranceAndTheLimit) {
  const System system = badly_scaled(40, 2);
  Vector rough = Vector::Zero(40), cut = Vector::Zero(40);
  const auto one =
      conjugate_gradient(system.product, system.h.diagonal(), system.b, rough, {.tolerance = 0.1});
  EXPECT_LE(one.residual, 0.1);
  const auto two = conjugate_gradient(system.product, system.h.diagonal(), system.b, cut,
                                      {.tolerance = 1e-12, .max_iterations = 3});
  EXPECT_EQ(two.iterations, 3);
  // Stopped early it is still a descent direction of ½xᵀHx − bᵀx.
  EXPECT_LT(0.5 * cut.dot(system.h * cut) - system.b.dot(cut), 0);
}

TEST(ConjugateGradient, AStartAtTheSolutionTakesNoSteps) {
  const System system = badly_scaled(10, 3);
  Vector x = system.h.llt().solve(system.b);
  EXPECT_EQ(
      conjugate_gradient(system.product, system.h.diagonal(), system.b, x, {.tolerance = 1e-6})
          .iterations,
      0);
}

TEST(ConjugateGradient, ZeroRightHandSide) {
  const System system = badly_scaled(5, 4);
  Vector x = Vector::Zero(5);
  const auto report =
      conjugate_gradient(system.product, system.h.diagonal(), Vector::Zero(5), x, {});
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(x.norm(), 0);
}

}  // namespace
}  // namespace ardent
