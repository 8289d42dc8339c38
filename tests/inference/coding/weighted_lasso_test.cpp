#include "ardent/inference/coding/weighted_lasso.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/QR>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/inference/coding/make_dictionary.h"
#include "hazardous_problems.h"
#include "problems/coordinate_descent.h"

namespace ardent {
namespace {

using problems::CodingProblem;
using problems::dictionary_of;
using problems::hazardous_problem;
using problems::random_matrix;
using problems::random_vector;

Vector spread(const SparseCode& code, Index n) {
  Vector theta = Vector::Zero(n);
  for (std::size_t k = 0; k < code.active.size(); ++k) {
    theta[code.active[k]] = code.theta[k];
  }
  return theta;
}

/// The conditions of optimality from the definition, with dense algebra alone. Returns the largest
/// violation in units of the rounding that products of these lengths have.
double kkt_violation(const Matrix& phi, const Vector& y, const Vector& w, const SparseCode& code,
                     bool nonnegative, double tolerance) {
  const Vector theta = spread(code, phi.cols());
  const Vector c = phi.transpose() * (y - phi * theta);
  double worst = 0;
  for (Index i = 0; i < phi.cols(); ++i) {
    const double norm = phi.col(i).norm();
    if (norm == 0 || std::isinf(w[i])) {
      EXPECT_EQ(theta[i], 0) << "atom " << i << " may not be used";
      continue;
    }
    const double excess = theta[i] > 0   ? std::abs(c[i] - w[i])
                          : theta[i] < 0 ? std::abs(c[i] + w[i])
                                         : (nonnegative ? c[i] : std::abs(c[i])) - w[i];
    worst = std::max(worst, excess / (tolerance * w[i] + 1e-12 * norm * y.norm()));
  }
  return worst;
}

TEST(WeightedLasso, OneAtomIsASoftThreshold) {
  const auto dictionary = dictionary_of(Matrix::Constant(4, 1, 0.5));  // length 1
  const Vector y = Vector::Constant(4, 3);                             // ρ = 6
  const auto solve = [&](double lambda) {
    return spread(weighted_lasso(*dictionary, y, Vector::Constant(1, 2), lambda).code, 1)[0];
  };
  EXPECT_NEAR(solve(1), 4, 1e-12);
  EXPECT_NEAR(solve(2.5), 1, 1e-12);
  EXPECT_EQ(solve(3), 0);
  EXPECT_EQ(solve(30), 0);
}

TEST(WeightedLasso, OrthogonalAtomsAreThresholdedEachByItsOwnPenalty) {
  const Matrix phi = 2 * Matrix::Identity(5, 5);
  const Vector y = (Vector(5) << 3, -2, 1, 0.1, -4).finished();
  const Vector u = (Vector(5) << 1, 2, 100, 1, 0.5).finished();
  const auto result = weighted_lasso(*dictionary_of(phi), y, u, 0.5, {.tolerance = 1e-12});
  const Vector expected = (Vector(5) << 5.5 / 4, -3.0 / 4, 0, 0, -7.75 / 4).finished();
  EXPECT_LT((spread(result.code, 5) - expected).norm(), 1e-12);
}

TEST(WeightedLasso, MeetsTheConditionsOfOptimalityOnEveryHazardousProblem) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const CodingProblem p = hazardous_problem(seed);
    const LassoOptions options{.tolerance = 1e-10, .gap_screening = seed % 2 == 0};
    const auto result = weighted_lasso(*p.dictionary, p.signal, p.penalties, p.lambda, options);
    EXPECT_EQ(result.report.status, Status::converged) << seed;
    if (p.signal.norm() == 0) continue;
    // A tiny λ asks for more digits than the correlations have.
    const double lambda_share = p.lambda / (p.phi.transpose() * p.signal).cwiseAbs().maxCoeff();
    if (lambda_share > 1e-4) {
      EXPECT_LE(result.report.relative_gap, 1e-10) << seed;
    }
    EXPECT_LE(result.report.relative_gap, 1e-7) << seed;
    const Vector w = p.lambda * p.penalties;
    // A relative gap of 1e-10 allows the residual √(2e-10 P) and the correlations accordingly.
    const double allowed = std::sqrt(2e-10 * result.report.objective);
    const double violation = kkt_violation(p.phi, p.signal, w, result.code, false, 1e-10);
    EXPECT_LT(violation, 1 + allowed / (1e-12 * p.signal.norm())) << seed;
  }
}

TEST(WeightedLasso, MeetsThemToRoundingWhenAskedFor) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const CodingProblem p = hazardous_problem(seed);
    if (!p.unique) continue;
    const auto result =
        weighted_lasso(*p.dictionary, p.signal, p.penalties, p.lambda, {.tolerance = 1e-13});
    EXPECT_LT(kkt_violation(p.phi, p.signal, p.lambda * p.penalties, result.code, false, 1e-8), 1)
        << seed;
  }
}

TEST(WeightedLasso, AgreesWithCoordinateDescent) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Matrix phi = random_matrix(30, 60, seed);
    const auto dictionary = dictionary_of(phi);
    const Vector y = random_vector(30, seed + 1000);
    const Vector rho = phi.transpose() * y;
    const Vector u = random_vector(60, seed + 2000).array().exp();
    const double lambda = 0.1 * (rho.array() / u.array()).abs().maxCoeff();
    const Vector w = lambda * u;
    for (const bool nonnegative : {false, true}) {
      const LassoProblem problem{*dictionary, y, rho, w, nonnegative};
      const auto reference =
          coordinate_descent(problem, {.tolerance = 1e-12, .max_passes = 100000});
      const auto result = weighted_lasso(*dictionary, y, u, lambda,
                                         {.tolerance = 1e-13, .nonnegative = nonnegative});
      ASSERT_EQ(reference.report.status, Status::converged);
      EXPECT_NEAR(result.report.objective, reference.report.objective,
                  2e-12 * reference.report.objective);
      EXPECT_LT((spread(result.code, 60) - spread(reference.code, 60)).norm(), 1e-5);
      EXPECT_LT(kkt_violation(phi, y, w, result.code, nonnegative, 1e-9), 1) << seed;
      if (nonnegative) {
        EXPECT_TRUE((result.code.theta.array() >= 0).all());
      }
    }
  }
}

TEST(WeightedLasso, SparseAtomsGiveTheSameCodeAsDenseOnes) {
  const Matrix phi = random_matrix(50, 120, 3, 0.15);
  const auto dense = dictionary_of(phi);
  const auto sparse = make_dictionary(Features(problems::sparse_rows(phi.transpose())));
  const Vector y = random_vector(50, 4);
  const double lambda = 0.1 * (phi.transpose() * y).cwiseAbs().maxCoeff();
  const Vector u = Vector::Ones(120);
  const auto one = weighted_lasso(*dense, y, u, lambda, {.tolerance = 1e-13});
  const auto other = weighted_lasso(*sparse, y, u, lambda, {.tolerance = 1e-13});
  EXPECT_EQ(one.code.active, other.code.active);
  EXPECT_LT((one.code.theta - other.code.theta).norm(), 1e-10);
}

TEST(WeightedLasso, GramRowsAndResidualsGiveTheSameCode) {
  const Matrix phi = random_matrix(40, 200, 5);
  const auto dictionary = dictionary_of(phi);
  const Vector y = random_vector(40, 6);
  const Vector rho = phi.transpose() * y;
  const Vector w = Vector::Constant(200, 0.05 * rho.cwiseAbs().maxCoeff());
  const LassoProblem problem{*dictionary, y, rho, w};
  GramRows rows(*dictionary, std::size_t{1} << 20);
  RowCorrelations by_rows(rows, rho);
  ResidualCorrelations by_residual(problem);
  const LassoOptions options{.tolerance = 1e-13};
  const auto one = solve_working_sets(problem, by_rows, options, {});
  const auto other = solve_working_sets(problem, by_residual, options, {});
  EXPECT_GT(one.code.active.size(), 20u);
  EXPECT_EQ(one.code.active, other.code.active);
  EXPECT_LT((one.code.theta - other.code.theta).norm(), 1e-10);
}

TEST(WeightedLasso, UnpenalisedAtomsTakeTheirLeastSquaresPart) {
  const Matrix phi = random_matrix(20, 30, 7);
  const auto dictionary = dictionary_of(phi);
  const Vector y = random_vector(20, 8);
  Vector u = Vector::Ones(30);
  u.head(3).setZero();
  const auto result = weighted_lasso(*dictionary, y, u, 2.0, {.tolerance = 1e-13});
  const Vector c = phi.transpose() * (y - phi * spread(result.code, 30));
  EXPECT_LT(c.head(3).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(kkt_violation(phi, y, 2.0 * u, result.code, false, 1e-10), 1);
  // Nothing but free atoms: least squares.
  u.tail(27).setConstant(1e9);
  const auto fit = weighted_lasso(*dictionary, y, u, 2.0);
  const Vector expected = phi.leftCols(3).colPivHouseholderQr().solve(y);
  ASSERT_EQ(fit.code.active, (std::vector<Index>{0, 1, 2}));
  EXPECT_LT((fit.code.theta - expected).norm(), 1e-12);
}

TEST(WeightedLasso, AStartChangesNothingButTheWork) {
  const CodingProblem p = [] {
    std::uint64_t seed = 0;
    while (!hazardous_problem(seed).unique) ++seed;
    return hazardous_problem(seed);
  }();
  const LassoOptions options{.tolerance = 1e-13};
  const double lambda = 0.2 * p.lambda;
  const auto cold = weighted_lasso(*p.dictionary, p.signal, p.penalties, lambda, options);
  const auto near = weighted_lasso(*p.dictionary, p.signal, p.penalties, 1.5 * lambda, options);
  SparseCode wrong{{0, 1}, Vector::Constant(2, 1e3)};
  for (const SparseCode& start : {near.code, cold.code, wrong}) {
    const auto warm = weighted_lasso(*p.dictionary, p.signal, p.penalties, lambda, options, start);
    EXPECT_EQ(warm.code.active, cold.code.active);
    EXPECT_LT((warm.code.theta - cold.code.theta).norm(), 1e-9 * cold.code.theta.norm());
  }
}

TEST(WeightedLasso, UnitsDoNotMatter) {
  const Matrix phi = random_matrix(25, 60, 9);
  const Vector y = random_vector(25, 10);
  const double lambda = 0.1 * (phi.transpose() * y).cwiseAbs().maxCoeff();
  const Vector ones = Vector::Ones(60);
  const LassoOptions options{.tolerance = 1e-12};
  const auto base = weighted_lasso(*dictionary_of(phi), y, ones, lambda, options);
  for (const double a : {1e-6, 1e6}) {
    for (const double b : {1e-6, 1e6}) {
      const auto scaled =
          weighted_lasso(*dictionary_of(a * phi), b * y, ones, a * b * lambda, options);
      ASSERT_EQ(scaled.code.active, base.code.active);
      const Vector back = scaled.code.theta * (a / b);
      EXPECT_LT((back - base.code.theta).norm(), 1e-9 * base.code.theta.norm());
    }
  }
}

TEST(WeightedLasso, ZeroIsTheAnswerFromLambdaMaxOn) {
  const Matrix phi = random_matrix(10, 20, 11);
  const Vector y = random_vector(10, 12);
  const double largest = (phi.transpose() * y).cwiseAbs().maxCoeff();
  const auto dictionary = dictionary_of(phi);
  const Vector ones = Vector::Ones(20);
  EXPECT_TRUE(weighted_lasso(*dictionary, y, ones, 1.0001 * largest).code.active.empty());
  const auto below = weighted_lasso(*dictionary, y, ones, 0.9999 * largest, {.tolerance = 1e-12});
  EXPECT_EQ(below.code.active.size(), 1u);
  const auto silent = weighted_lasso(*dictionary, Vector::Zero(10), ones, 1);
  EXPECT_TRUE(silent.code.active.empty());
  EXPECT_EQ(silent.report.status, Status::converged);
  EXPECT_EQ(silent.report.relative_gap, 0);
}

TEST(WeightedLasso, SameBitsForAnyNumberOfThreads) {
  const Matrix phi = random_matrix(60, 2000, 13);
  const auto dictionary = dictionary_of(phi);
  const Vector y = random_vector(60, 14);
  const auto solve = [&](int threads) {
    const ThreadScope scope(threads);
    return weighted_lasso(*dictionary, y, Vector::Ones(2000), 3.0);
  };
  const auto one = solve(1);
  for (const int threads : {2, 8}) {
    const auto other = solve(threads);
    EXPECT_EQ(one.code.active, other.code.active);
    EXPECT_EQ(one.code.theta, other.code.theta);
    EXPECT_EQ(one.report.gap, other.report.gap);
  }
}

TEST(WeightedLasso, SaysWhatIsWrongWithARequest) {
  const auto dictionary = dictionary_of(random_matrix(6, 4, 15));
  const Vector y = random_vector(6, 16);
  const Vector ones = Vector::Ones(4);
  const auto message = [&](const Vector& signal, const Vector& u, double lambda,
                           LassoOptions options = {}) -> std::string {
    try {
      weighted_lasso(*dictionary, signal, u, lambda, options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  using testing::HasSubstr;
  EXPECT_THAT(message(random_vector(5, 1), ones, 1), HasSubstr("the signal has 5 numbers"));
  EXPECT_THAT(message(nan * y, ones, 1), HasSubstr("number 1 of the signal is nan"));
  EXPECT_THAT(message(y, Vector::Ones(3), 1), HasSubstr("3 penalties for the 4 atoms"));
  EXPECT_THAT(message(y, -ones, 1), HasSubstr("at least 0, not -1"));
  EXPECT_THAT(message(y, nan * ones, 1), HasSubstr("at least 0, not nan"));
  EXPECT_THAT(message(y, ones, 0), HasSubstr("lambda must be above 0"));
  EXPECT_THAT(message(y, ones, -1), HasSubstr("lambda must be above 0"));
  EXPECT_THAT(message(y, ones, nan), HasSubstr("lambda must be above 0"));
  EXPECT_THAT(message(y, ones, 1, {.tolerance = 0}), HasSubstr("tolerance must be above 0"));
  EXPECT_THAT(message(y, ones, 1, {.max_rounds = 0}), HasSubstr("max_rounds must be at least 1"));
  EXPECT_THAT(message(y, 0 * ones, 1, {.nonnegative = true}), HasSubstr("penalty 0"));
}

TEST(CoordinateDescent, StopsAtItsLimitAndSaysSo) {
  const Matrix phi = random_matrix(20, 100, 17);
  const auto dictionary = dictionary_of(phi);
  const Vector y = random_vector(20, 18);
  const Vector rho = phi.transpose() * y;
  const Vector w = Vector::Constant(100, 1e-3 * rho.cwiseAbs().maxCoeff());
  const auto result =
      coordinate_descent({*dictionary, y, rho, w}, {.tolerance = 1e-12, .max_passes = 10});
  EXPECT_EQ(result.report.status, Status::iteration_limit);
  EXPECT_EQ(result.report.rounds, 10);
}

}  // namespace
}  // namespace ardent
