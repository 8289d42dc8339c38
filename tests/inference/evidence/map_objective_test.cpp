#include "ardent/inference/evidence/map_objective.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ardent/design/dense.h"
#include "ardent/inference/evidence/newton_cg.h"
#include "problems/regression.h"

namespace ardent {
namespace {

struct Case {
  Likelihood likelihood;
  Matrix phi;
  Vector t;
  Vector row_weights;
  Vector alpha;
  double noise_variance = 0.4;
};

Case make_case(Likelihood likelihood) {
  Random random(5);
  Case c;
  c.likelihood = likelihood;
  if (likelihood == Likelihood::bernoulli) {
    const auto problem = problems::planted_classification(60, 8, 3, 1.5, 7);
    c.phi = problem.phi;
    c.t = problem.t;
  } else {
    const auto problem = problems::planted_regression(60, 8, 3, 0.5, 7);
    c.phi = problem.phi;
    c.t = problem.t;
  }
  c.row_weights = Vector(60);
  for (double& x : c.row_weights) x = random.uniform(0.2, 3);
  c.alpha = Vector(8);
  for (double& x : c.alpha) x = std::exp(random.normal());
  return c;
}

double value_at(const MapObjective& objective, const Case& c, const Vector& w) {
  MapPoint point{w, c.phi * w, {}, {}, 0};
  objective.evaluate(point);
  return -point.log_likelihood + 0.5 * w.dot(c.alpha.cwiseProduct(w));
}

class MapObjectiveTest : public testing::TestWithParam<Likelihood> {};

TEST_P(MapObjectiveTest, GradientAndHessianProductsEqualFiniteDifferences) {
  const Case c = make_case(GetParam());
  const DenseDesign design(c.phi);
  const MapObjective objective(design, c.likelihood, c.t, c.row_weights, c.noise_variance);
  const Vector w = Vector::LinSpaced(8, -0.6, 0.9);
  MapPoint point{w, c.phi * w, {}, {}, 0};
  objective.evaluate(point);
  Vector gradient, fitted, product;
  objective.gradient(point, c.alpha, gradient);
  const double h = 1e-5;
  for (Index k = 0; k < 8; ++k) {
    const Vector e = h * Vector::Unit(8, k);
    const double slope = (value_at(objective, c, w + e) - value_at(objective, c, w - e)) / (2 * h);
    EXPECT_NEAR(gradient[k], slope, 1e-6 * std::max(1.0, std::abs(slope)));
  }
  const Vector v = Vector::LinSpaced(8, 1, -1);
  objective.hessian_product(point, c.alpha, v, fitted, product);
  Vector up, down;
  MapPoint ahead{w + h * v, c.phi * (w + h * v), {}, {}, 0};
  MapPoint behind{w - h * v, c.phi * (w - h * v), {}, {}, 0};
  objective.evaluate(ahead);
  objective.evaluate(behind);
  objective.gradient(ahead, c.alpha, up);
  objective.gradient(behind, c.alpha, down);
  const Vector difference = (up - down) / (2 * h);
  EXPECT_LT((product - difference).cwiseAbs().maxCoeff(), 1e-6 * difference.cwiseAbs().maxCoeff());
}

TEST_P(MapObjectiveTest, AlongALineAgreesWithPoints) {
  const Case c = make_case(GetParam());
  const DenseDesign design(c.phi);
  const MapObjective objective(design, c.likelihood, c.t, c.row_weights, c.noise_variance);
  const Vector f = c.phi * Vector::LinSpaced(8, -0.5, 0.5), df = c.phi.col(2);
  const auto log_likelihood = [&](double s) { return objective.along(f, df, s).value; };
  const double s = 0.7, h = 1e-4;
  const auto at = objective.along(f, df, s);
  EXPECT_NEAR(at.slope, (log_likelihood(s + h) - log_likelihood(s - h)) / (2 * h), 1e-5);
  EXPECT_NEAR(
      at.curvature,
      -(objective.along(f, df, s + h).slope - objective.along(f, df, s - h).slope) / (2 * h),
      1e-5 * at.curvature);
}

TEST_P(MapObjectiveTest, NewtonCgReachesAStationaryPoint) {
  const Case c = make_case(GetParam());
  const DenseDesign design(c.phi);
  const MapObjective objective(design, c.likelihood, c.t, c.row_weights, c.noise_variance);
  MapPoint point{Vector::Zero(8), Vector::Zero(60), {}, {}, 0};
  objective.evaluate(point);
  Vector at_zero, at_mode;
  objective.gradient(point, c.alpha, at_zero);
  newton_cg(objective, c.alpha, point, {.tolerance = 1e-9});
  objective.gradient(point, c.alpha, at_mode);
  EXPECT_LT(at_mode.norm(), 1e-8 * at_zero.norm());
  EXPECT_LT((point.f - c.phi * point.w).norm(), 1e-10);
}

TEST(NewtonCg, LNeverRisesOnSeparableDataWithMoreColumnsThanRows) {
  // Far out on separable data L is nearly flat: a line search by slopes alone walks off there, as
  // it did on news20 (L from 448 to 1.6e7 in one step).
  const auto problem = problems::separable_classification(80, 600, 9);
  const DenseDesign design(problem.phi);
  const Vector ones = Vector::Ones(80), alpha = Vector::Constant(600, 1e-7);
  const MapObjective objective(design, Likelihood::bernoulli, problem.t, ones, 1);
  MapPoint point{Vector::Zero(600), Vector::Zero(80), {}, {}, 0};
  objective.evaluate(point);
  const auto value = [&] {
    return -point.log_likelihood + 0.5 * point.w.dot(alpha.cwiseProduct(point.w));
  };
  double last = value();
  for (int step = 0; step < 30; ++step) {
    newton_cg(objective, alpha, point, {.tolerance = 1e-9, .max_steps = 1});
    ASSERT_LE(value(), last * (1 + 1e-9)) << "step " << step;  // rounding, once converged
    last = value();
  }
  EXPECT_LT(last, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Likelihoods, MapObjectiveTest,
                         testing::Values(Likelihood::bernoulli, Likelihood::gaussian));

}  // namespace
}  // namespace ardent
