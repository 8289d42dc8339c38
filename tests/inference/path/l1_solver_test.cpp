// ℓ1-penalised regression: its optimality conditions, and against the LASSO of the sparse codes.
#include "ardent/inference/path/l1_solver.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ardent/design/dense.h"
#include "ardent/inference/coding/dense_dictionary.h"
#include "ardent/inference/coding/weighted_lasso.h"
#include "ardent/inference/path/l1_path.h"
#include "ardent/inference/path/quadratic_l1.h"
#include "problems/random_matrix.h"
#include "problems/regression.h"

namespace ardent {
namespace {

/// The largest violation of the conditions, relative to λu: recomputed from nothing but w and b.
double worst_violation(const Matrix& phi, const L1Problem& problem, const L1Solution& solution,
                       const Vector& penalties) {
  Vector w = Vector::Zero(phi.cols());
  for (std::size_t k = 0; k < solution.active.size(); ++k) {
    w[solution.active[k]] = solution.w[static_cast<Index>(k)];
  }
  const Vector f = (phi * w).array() + solution.bias;
  Vector residual = problem.t - f;
  if (problem.likelihood == Likelihood::bernoulli) {
    residual = problem.t.array() - 1 / (1 + (-f.array()).exp());
  }
  residual.array() *= problem.row_weights.array();
  const Vector c = phi.transpose() * residual;
  double worst = std::abs(residual.sum()) / (solution.lambda * penalties.minCoeff());
  for (Index k = 0; k < phi.cols(); ++k) {
    const double limit = solution.lambda * penalties[k];
    const double off = w[k] != 0 ? std::abs(c[k] - std::copysign(limit, w[k]))
                                 : std::max(0.0, std::abs(c[k]) - limit);
    worst = std::max(worst, off / limit);
  }
  return worst;
}

TEST(L1Solver, MeetsTheOptimalityConditionsAlongAPath) {
  const auto classes = problems::planted_classification(120, 300, 6, 1.5, 1);
  const auto regression = problems::planted_regression(120, 300, 6, 0.5, 1);
  Vector weights = Vector::Ones(120);
  weights.head(20).setZero();
  weights.tail(10).setConstant(2.5);
  for (const bool gaussian : {false, true}) {
    const Matrix& phi = gaussian ? regression.phi : classes.phi;
    const DenseDesign design(phi);
    const L1Problem problem{design, gaussian ? Likelihood::gaussian : Likelihood::bernoulli,
                            gaussian ? regression.t : classes.t, weights, true};
    const L1Solution empty = empty_solution(problem);
    const Vector grid = lambda_grid(empty.lambda, 12, 0.05);
    Index visited = 0;
    walk_path(problem, empty, grid, 2, [&](const PathStop& stop) {
      ++visited;
      EXPECT_LT(worst_violation(phi, problem, stop.solution, stop.penalties), 2e-3)
          << stop.step << " " << stop.reweighting;
      if (stop.step == 0 && stop.reweighting == 0) {
        EXPECT_TRUE(stop.solution.active.empty());
      }
      return true;
    });
    EXPECT_EQ(visited, 36);
  }
}

TEST(L1Solver, IsTheLassoOfTheSparseCodes) {
  const Matrix phi = problems::random_matrix(60, 150, 2);
  const Vector t =
      phi.leftCols(4) * Vector::Constant(4, 1.0) + 0.3 * problems::random_vector(60, 3);
  Vector penalties = Vector::Ones(150);
  penalties.head(50).setConstant(0.4);
  const DenseDesign design(phi);
  const Vector ones = Vector::Ones(60);
  const L1Problem problem{design, Likelihood::gaussian, t, ones, false};
  const double lambda = 0.2 * (phi.transpose() * t).cwiseAbs().maxCoeff();
  const L1Solution own = solve_l1(problem, lambda, penalties, empty_solution(problem), 1e-7);
  const DenseDictionary dictionary(problems::dense_rows(Matrix(phi.transpose())), false);
  const LassoResult other = weighted_lasso(dictionary, t, penalties, lambda, {.tolerance = 1e-12});
  ASSERT_EQ(own.active, other.code.active);
  EXPECT_LT((own.w - other.code.theta).norm(), 1e-5 * own.w.norm());
}

TEST(L1Solver, AQuadraticWithoutPenaltiesIsALinearSystem) {
  const Matrix root = problems::random_matrix(30, 8, 4);
  const Matrix hessian = root.transpose() * root;
  const Vector ascent = problems::random_vector(8, 5);
  Vector x = Vector::Zero(8);
  minimise({hessian, ascent, Vector::Zero(8)}, 1e-12, 10000, x);
  EXPECT_LT((hessian * x - ascent).norm(), 1e-8);
  // Penalties above |ascent| leave everything at zero.
  x.setZero();
  minimise({hessian, ascent, Vector(ascent.cwiseAbs().array() + 0.1)}, 1e-12, 100, x);
  EXPECT_EQ(x, Vector::Zero(8));
}

TEST(L1Path, ReweightingMakesTheSolutionAPosteriorMode) {
  // With prior precisions 1/γ = λu/|w| the gradient of the log-likelihood is A w.
  const auto classes = problems::planted_classification(200, 30, 4, 1.5, 6);
  const DenseDesign design(classes.phi);
  const Vector ones = Vector::Ones(200);
  const L1Problem problem{design, Likelihood::bernoulli, classes.t, ones, true};
  const L1Solution empty = empty_solution(problem);
  const Vector flat = Vector::Ones(30);
  const L1Solution plain = solve_l1(problem, 0.1 * empty.lambda, flat, empty);
  const Vector penalties = reweighted(problem, plain, flat);
  EXPECT_EQ(penalties.maxCoeff(), 1);
  EXPECT_LT(penalties.minCoeff(), 0.5);
  const L1Solution next = solve_l1(problem, 0.1 * empty.lambda, penalties, plain);
  ASSERT_FALSE(next.active.empty());
  EXPECT_LE(next.active.size(), plain.active.size());
  for (std::size_t k = 0; k < next.active.size(); ++k) {
    const double w = next.w[static_cast<Index>(k)];
    const double alpha = next.lambda * penalties[next.active[k]] / std::abs(w);
    EXPECT_NEAR(next.correlations[next.active[k]] / (alpha * w), 1, 2e-3);
  }
}

}  // namespace
}  // namespace ardent
