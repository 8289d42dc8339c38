#include "ardent/inference/evidence/mode.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "ardent/design/dense.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/inference/evidence/dual_space.h"
#include "ardent/inference/evidence/primal_space.h"
#include "problems/regression.h"

namespace ardent {
namespace {

TEST(Mode, NewtonEndsWhereTheGradientVanishes) {
  const auto problem = problems::planted_classification(200, 10, 4, 1.5, 1);
  const DenseDesign phi(problem.phi);
  const Prior prior{Vector::Constant(10, 0.5), true, 1e-8};
  PrimalSpace space(phi, prior);
  const Mode mode = bernoulli_mode(space, problem.t, space.constant(0), 1e-10, 50);
  const Vector ascent = bordered_ascent(phi, mode.residual, space.weights(mode.predictor),
                                        mode.predictor.bias, prior);
  EXPECT_LT(ascent.norm(), 1e-4);
  EXPECT_LE(mode.newton_steps, 10);
}

TEST(Mode, NewtonAgreesWithLongGradientDescent) {
  const auto problem = problems::planted_classification(60, 3, 2, 1.0, 2);
  const DenseDesign phi(problem.phi);
  const Prior prior{Vector::Constant(3, 1.0), false, 1e-8};
  Vector w = Vector::Zero(3), residual, beta;
  for (int step = 0; step < 20000; ++step) {
    bernoulli::derivatives(problem.t, problem.phi * w, residual, beta);
    w += 0.01 * (problem.phi.transpose() * residual - w);
  }
  PrimalSpace space(phi, prior);
  const Mode mode = bernoulli_mode(space, problem.t, space.constant(0), 1e-14, 50);
  EXPECT_LT((space.weights(mode.predictor) - w).norm(), 1e-8);
}

TEST(Mode, SeparableDataHaveAFiniteModeUnderTheVaguestPrior) {
  const auto problem = problems::separable_classification(50, 3, 3);
  const DenseDesign phi(problem.phi);
  const Prior prior{Vector::Constant(3, 1e-8), true, 1e-8};
  PrimalSpace space(phi, prior);
  const Mode mode = bernoulli_mode(space, problem.t, space.constant(0), 1e-8, 100);
  EXPECT_TRUE(mode.predictor.coordinates.allFinite());
  EXPECT_GT(mode.log_likelihood, -1e-3);
  // The penalty is what stops the weights: at the mode A w = Phiᵀ residual.
  const Vector ascent = bordered_ascent(phi, mode.residual, space.weights(mode.predictor),
                                        mode.predictor.bias, prior);
  EXPECT_LT(ascent.norm(), 1e-6);
}

TEST(Mode, ABadStartIsLeftBehind) {
  const auto problem = problems::planted_classification(80, 5, 2, 1.0, 4);
  const DenseDesign phi(problem.phi);
  const Prior prior{Vector::Constant(5, 1.0), true, 1e-8};
  PrimalSpace space(phi, prior);
  const Mode good = bernoulli_mode(space, problem.t, space.constant(0), 1e-12, 50);
  const Mode bad =
      bernoulli_mode(space, problem.t, space.predictor(Vector::Constant(5, -1e5), 1e7), 1e-12, 50);
  EXPECT_LT((good.predictor.coordinates - bad.predictor.coordinates).norm(), 1e-6);
}

TEST(Mode, TheDualStartIsTheStepThatThePrimalSpaceTakesFromTheOldWeights) {
  // Newton's step leads to the minimum of the parabola at the old f, whichever space takes it.
  const auto problem = problems::planted_classification(40, 60, 4, 1.5, 6);
  const DenseDesign phi(problem.phi);
  const Prior old{Vector::Constant(60, 2.0), true, 0.5};
  const Prior next{Vector::LinSpaced(60, 0.05, 20), true, 0.5};
  PrimalSpace before(phi, old);
  const Mode mode = bernoulli_mode(before, problem.t, before.constant(0), 1e-10, 50);
  PrimalSpace primal(phi, next);
  Vector residual, beta;
  bernoulli::derivatives(problem.t, mode.predictor.fitted, residual, beta);
  primal.factor(beta);
  const Predictor step = primal.newton_step(residual, mode.predictor);
  const Vector wanted = mode.predictor.coordinates + step.coordinates;
  DualSpace dual(phi, next);
  const Predictor start = bernoulli_start(dual, problem.t, mode.predictor);
  EXPECT_LT((dual.weights(start) - wanted).norm(), 1e-9 * wanted.norm());
  EXPECT_NEAR(start.bias, mode.predictor.bias + step.bias, 1e-9);
  EXPECT_LT(
      (start.fitted - (problem.phi * wanted).array().matrix() - Vector::Constant(40, start.bias))
          .norm(),
      1e-9 * start.fitted.norm());
}

TEST(Mode, GaussianModeIsRidgeRegression) {
  const auto problem = problems::planted_regression(50, 6, 3, 0.3, 5, 0);
  const DenseDesign phi(problem.phi);
  const Prior prior{Vector::LinSpaced(6, 0.1, 5), false, 1e-8};
  PrimalSpace space(phi, prior);
  const double noise = 0.2;
  const Mode mode = gaussian_mode(space, problem.t, noise);
  Matrix normal = problem.phi.transpose() * problem.phi / noise;
  normal += prior.alpha.asDiagonal();
  const Vector wanted = normal.llt().solve(problem.phi.transpose() * problem.t / noise);
  EXPECT_LT((mode.predictor.coordinates - wanted).norm(), 1e-12);
}

}  // namespace
}  // namespace ardent
