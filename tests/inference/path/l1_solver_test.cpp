// ℓ1-penalised regression: its optimality conditions, and against the LASSO of the sparse codes.
#include "ardent/inference/path/l1_solver.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ardent/design/dense.h"
#include "ardent/design/sparse.h"
#include "ardent/inference/coding/dense_dictionary.h"
#include "ardent/inference/coding/weighted_lasso.h"
#include "ardent/inference/path/l1_path.h"
#include "ardent/inference/path/quadratic_l1.h"
#include "problems/random_matrix.h"
#include "problems/regression.h"

namespace ardent {
namespace {

/// The largest violation of the conditions, relative to λu: recomputed from nothing but w, b and ρ.
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
  const Vector c = phi.transpose() * residual - solution.lambda * problem.ridge * w;
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

// The elastic net of a Gaussian target is the LASSO of Phi with √(λρ)I below it and zeros below t.
TEST(L1Solver, WithAnL2TermIsTheLassoOfMoreRows) {
  const Matrix phi = problems::random_matrix(40, 60, 8);
  const Vector t = phi.leftCols(5).rowwise().sum() + problems::random_vector(40, 9);
  const double lambda = 0.1 * (phi.transpose() * t).cwiseAbs().maxCoeff(), rho = 0.7;
  Matrix taller(100, 60);
  taller << phi, std::sqrt(lambda * rho) * Matrix::Identity(60, 60);
  const Vector longer = (Vector(100) << t, Vector::Zero(60)).finished();
  const Vector ones = Vector::Ones(100), few = Vector::Ones(40), u = Vector::Ones(60);
  const DenseDesign design(phi), wide(taller);
  const L1Problem net{design, Likelihood::gaussian, t, few, false, rho};
  const L1Problem lasso{wide, Likelihood::gaussian, longer, ones, false};
  const L1Solution own = solve_l1(net, lambda, u, empty_solution(net), 1e-7);
  const L1Solution other = solve_l1(lasso, lambda, u, empty_solution(lasso), 1e-7);
  ASSERT_EQ(own.active, other.active);
  EXPECT_GT(own.active.size(), 5u);
  EXPECT_LT((own.w - other.w).norm(), 1e-5 * own.w.norm());
}

TEST(L1Solver, SparseColumnsHaveTheElasticNetOfTheDenseOnes) {
  const Matrix phi = problems::random_matrix(80, 200, 3, 0.05);
  const auto labels = problems::planted_classification(80, 3, 1, 1.0, 2);
  const DenseDesign dense(phi);
  const SparseDesign sparse(problems::sparse_rows(phi));
  const Vector ones = Vector::Ones(80), u = Vector::Ones(200);
  const auto solve = [&](const Design& design, bool bias) {
    const L1Problem problem{design, Likelihood::bernoulli, labels.t, ones, bias, 2.0};
    const L1Solution empty = empty_solution(problem);
    return solve_l1(problem, 0.02 * empty.lambda, u, empty, 1e-8);
  };
  for (const bool bias : {true, false}) {
    const L1Solution own = solve(sparse, bias), other = solve(dense, bias);
    EXPECT_GT(own.active.size(), 40u);
    ASSERT_EQ(own.active, other.active);
    EXPECT_LT((own.w - other.w).norm(), 1e-5 * own.w.norm());
    EXPECT_NEAR(own.bias, other.bias, 1e-5);
  }
}

TEST(L1Solver, MeetsTheConditionsOfTheElasticNetOfClasses) {
  const auto classes = problems::planted_classification(120, 300, 6, 1.5, 1);
  const DenseDesign design(classes.phi);
  const Vector ones = Vector::Ones(120);
  for (const double rho : {0.3, 30.0}) {
    const L1Problem problem{design, Likelihood::bernoulli, classes.t, ones, true, rho};
    const L1Solution empty = empty_solution(problem);
    walk_path(problem, empty, lambda_grid(empty.lambda, 12, 0.05), 0, [&](const PathStop& stop) {
      EXPECT_LT(worst_violation(classes.phi, problem, stop.solution, stop.penalties), 2e-3);
      EXPECT_EQ(stop.solution.active.empty(), stop.step == 0);
      return true;
    });
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
