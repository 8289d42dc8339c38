// diagonal, dqn and probes: against exact where theory says they agree, and against plain formulas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/design/dense.h"
#include "ardent/inference/engines/diagonal.h"
#include "ardent/inference/engines/exact.h"
#include "ardent/inference/engines/probes.h"
#include "ardent/published/dqn.h"
#include "problems/regression.h"

namespace ardent {
namespace {

Fit run(Engine engine, const Matrix& phi, const Vector& t, const EngineOptions& options = {},
        Likelihood likelihood = Likelihood::bernoulli) {
  return engine(DenseDesign(phi), {likelihood, t, {}}, options, {});
}

Matrix orthogonal_columns(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  const Matrix gaussian = problems::normal_matrix(rows, cols, random);
  return Matrix(Eigen::HouseholderQR<Matrix>(gaussian).householderQ() *
                Matrix::Identity(rows, cols)) *
         std::sqrt(static_cast<double>(rows));
}

TEST(Diagonal, EqualsExactOnOrthogonalColumns) {
  // For the Gaussian likelihood H is diagonal then; no bias, so that it stays so. With the noise
  // estimated alike, both engines stand at the same fixed point.
  const Matrix phi = orthogonal_columns(80, 12, 3);
  Random random(4);
  Vector t = phi.leftCols(4) * Vector::LinSpaced(4, 1, 2);
  for (double& x : t) x += 0.5 * random.normal();
  const EngineOptions options{.bias = false,
                              .alpha_max = 1e12,
                              .tolerance = 1e-11,
                              .max_stages = 100000,
                              .accelerate = false};
  const Fit exact = run(fit_exact, phi, t, options, Likelihood::gaussian);
  const Fit diagonal = run(fit_diagonal, phi, t, options, Likelihood::gaussian);
  ASSERT_EQ(exact.posterior.active, diagonal.posterior.active);
  const auto relative = [](const Vector& a, const Vector& b) { return (a - b).norm() / b.norm(); };
  EXPECT_LT(relative(diagonal.posterior.mean, exact.posterior.mean), 1e-8);
  EXPECT_LT(relative(diagonal.posterior.alpha, exact.posterior.alpha), 1e-8);
  EXPECT_NEAR(diagonal.posterior.log_evidence, exact.posterior.log_evidence, 1e-7);
}

TEST(Diagonal, GuardedUpdateNeverFallsBelowEm) {
  for (const double alpha : {1e-3, 1.0, 1e3}) {
    for (const double w : {1e-3, 0.5, 10.0}) {
      for (const double variance : {1e-6, 0.5 / alpha, 1 / alpha}) {
        const double updated = guarded_update(alpha, w, variance);
        EXPECT_GE(updated, 1 / (w * w + variance));
        EXPECT_GE(updated, (1 - alpha * variance) / (w * w));
      }
    }
  }
  EXPECT_FALSE(std::isfinite(guarded_update(1, 0, 0.5)));  // an exact zero is pruned
}

TEST(Diagonal, FindsPlantedColumnsAmongMany) {
  const auto problem = problems::planted_classification(400, 3000, 5, 2, 11);
  const Fit fit = run(fit_diagonal, problem.phi, problem.t);
  EXPECT_THAT(fit.posterior.active, testing::IsSupersetOf({0, 1, 2, 3, 4}));
  EXPECT_LT(fit.posterior.active.size(), 200u);
  for (Index k = 0; k < 5; ++k) EXPECT_GT(fit.posterior.mean[k] * problem.w[k], 0);
}

TEST(Diagonal, StageEvidenceIsALowerBoundOfLaplace) {
  const auto problem = problems::planted_classification(200, 30, 4, 1, 12);
  const Fit fit = run(fit_diagonal, problem.phi, problem.t, {.max_stages = 1});
  EXPECT_LE(fit.report.stages.back().log_evidence, fit.posterior.log_evidence);
  // One stage leaves the initial precisions: the exact evidence of that state must be the same.
  const Fit exact = run(fit_exact, problem.phi, problem.t, {.max_stages = 1});
  EXPECT_EQ(exact.posterior.active.size(), fit.posterior.active.size());
}

TEST(Probes, ManyProbesConvergeToExact) {
  const auto problem = problems::planted_regression(100, 15, 4, 0.7, 13);
  const EngineOptions options{.tolerance = 1e-4, .max_stages = 400, .probes = 400, .seed = 3};
  const Fit exact = run(fit_exact, problem.phi, problem.t, {}, Likelihood::gaussian);
  const Fit probes = run(fit_probes, problem.phi, problem.t, options, Likelihood::gaussian);
  EXPECT_NEAR(probes.posterior.log_evidence, exact.posterior.log_evidence, 1.0);
  for (Index k = 0; k < 4; ++k) {
    EXPECT_NEAR(probes.posterior.mean[k], exact.posterior.mean[k], 0.02);
  }
}

TEST(Probes, FewProbesDoNotCollapse) {
  // Columns that overlap: here MacKay's update with a noisy γ alone loses the signal.
  auto problem = problems::planted_classification(300, 40, 6, 1.5, 14);
  for (Index k = 6; k < 40; ++k) problem.phi.col(k) += 0.9 * problem.phi.col(k % 6);
  const Fit exact = run(fit_exact, problem.phi, problem.t);
  const Fit probes = run(fit_probes, problem.phi, problem.t, {.probes = 4});
  const auto accuracy = [&](const Posterior& posterior) {
    Vector f = Vector::Constant(300, posterior.bias);
    for (std::size_t k = 0; k < posterior.active.size(); ++k) {
      f += posterior.mean[k] * problem.phi.col(posterior.active[k]);
    }
    return ((f.array() > 0).cast<double>() == problem.t.array()).cast<double>().mean();
  };
  EXPECT_GT(accuracy(probes.posterior), accuracy(exact.posterior) - 0.03);
}

TEST(Dqn, DiagonalUpdateEqualsTheFormulaAndStaysPositive) {
  Random random(15);
  Vector b = Vector::Ones(6);
  for (int step = 0; step < 200; ++step) {
    Vector delta(6), curvature(6);
    for (double& x : delta) x = random.normal();
    for (double& x : curvature) x = std::exp(2 * random.normal());
    const Vector g = curvature.cwiseProduct(delta);  // gᵀδ > 0
    Vector expected(6);
    double gd = 0, dbd = 0;
    for (Index k = 0; k < 6; ++k) {
      gd += g[k] * delta[k];
      dbd += delta[k] * delta[k] / b[k];
    }
    for (Index k = 0; k < 6; ++k) {
      expected[k] = 1 / (1 / b[k] + g[k] * g[k] / gd - delta[k] * delta[k] / (b[k] * b[k] * dbd));
    }
    ASSERT_TRUE(update_diagonal_inverse(delta, g, b));
    for (Index k = 0; k < 6; ++k) {
      ASSERT_GT(b[k], 0) << "step " << step;
      ASSERT_NEAR(b[k], expected[k], 1e-9 * expected[k]);
    }
  }
}

TEST(Dqn, SkipsAnUpdateWithoutCurvature) {
  Vector b = Vector::Ones(2);
  EXPECT_FALSE(update_diagonal_inverse(Vector{{1, 0}}, Vector{{0, 1}}, b));
  EXPECT_FALSE(update_diagonal_inverse(Vector{{1, 0}}, Vector{{-1, 0}}, b));
  EXPECT_EQ(b, Vector::Ones(2));
}

TEST(Dqn, LearnsColdAndWarm) {
  const auto problem = problems::planted_classification(500, 20, 4, 2, 16);
  for (const bool warm : {false, true}) {
    const Fit fit = run(fit_dqn, problem.phi, problem.t, {.warm_b = warm});
    EXPECT_THAT(fit.posterior.active, testing::IsSupersetOf({0, 1, 2, 3})) << warm;
  }
}

TEST(IterativeEngines, PathHoldsEveryStageInTheCallersUnits) {
  auto problem = problems::planted_classification(200, 30, 3, 2, 17);
  problem.phi.col(0) *= 1000;
  for (const Engine engine : {&fit_diagonal, &fit_dqn, &fit_probes}) {
    const Fit fit = engine(DenseDesign(problem.phi), {Likelihood::bernoulli, problem.t, {}},
                           {.max_stages = 12, .keep_stages = true}, {});
    ASSERT_EQ(fit.report.path.size(), fit.report.stages.size());
    const PathPoint& last = fit.report.path.back();
    EXPECT_EQ(last.active, fit.posterior.active);
    EXPECT_LT((last.mean - fit.posterior.mean).norm(), 1e-12 * fit.posterior.mean.norm());
    EXPECT_NEAR(last.bias, fit.posterior.bias, 1e-12);
    EXPECT_EQ(fit.report.path.front().active.size(), 30u);
  }
}

TEST(IterativeEngines, ColumnScalesDoNotMatter) {
  const auto problem = problems::planted_classification(200, 10, 3, 2, 18);
  for (const Engine engine : {&fit_diagonal, &fit_dqn, &fit_probes}) {
    const Fit plain = run(engine, problem.phi, problem.t, {.max_stages = 20});
    // A power of two changes no rounding. With 1e6, dqn's hundred unconverged steps a stage carry
    // the rounding of the first to the fifth digit; the others stay within 1e-6.
    for (const double factor : {std::exp2(20), 1e6}) {
      if (engine == &fit_dqn && factor == 1e6) continue;
      Matrix scaled = problem.phi;
      scaled.col(0) *= factor;
      scaled.col(1) /= factor;
      const Fit other = run(engine, scaled, problem.t, {.max_stages = 20});
      ASSERT_EQ(plain.posterior.active, other.posterior.active);
      Vector back = other.posterior.mean;
      back[0] *= factor;
      back[1] /= factor;
      EXPECT_LT((back - plain.posterior.mean).cwiseAbs().maxCoeff(), factor == 1e6 ? 1e-6 : 1e-12);
    }
  }
}

TEST(IterativeEngines, SameBitsForAnyNumberOfThreads) {
  const auto problem = problems::planted_classification(9000, 12, 3, 1, 19);
  for (const Engine engine : {&fit_diagonal, &fit_dqn, &fit_probes}) {
    const auto fit = [&](int threads) {
      const ThreadScope scope(threads);
      return run(engine, problem.phi, problem.t, {.max_stages = 6});
    };
    const Fit one = fit(1);
    for (const int threads : {2, 8}) {
      const Fit other = fit(threads);
      EXPECT_EQ(one.posterior.mean, other.posterior.mean);
      EXPECT_EQ(one.posterior.alpha, other.posterior.alpha);
    }
  }
}

TEST(IterativeEngines, HazardsHaveTheSameAnswersAsExact) {
  for (const Engine engine : {&fit_diagonal, &fit_dqn, &fit_probes}) {
    Matrix phi = Matrix::Random(20, 3);
    Vector t = (phi.col(0).array() > 0).cast<double>();  // separable
    EXPECT_TRUE(run(engine, phi, t).posterior.mean.allFinite());
    EXPECT_THROW(run(engine, phi, Vector::Ones(20)), InputError);  // one class
    phi.col(1).setZero();
    const Fit zero = run(engine, phi, t);
    EXPECT_THAT(zero.posterior.active, testing::Not(testing::Contains(1)));
    phi(3, 2) = NAN;
    EXPECT_THROW(run(engine, phi, t), InputError);
    const Fit constant =
        run(engine, Matrix::Random(10, 2), Vector::Constant(10, 4), {}, Likelihood::gaussian);
    EXPECT_NEAR(constant.posterior.bias, 4, 1e-9);
  }
}

TEST(RowWeights, WholeNumbersCountAsRepeatedRows) {
  const auto classes = problems::planted_classification(60, 5, 2, 1.5, 20);
  const auto numbers = problems::planted_regression(60, 5, 2, 0.5, 20);
  Vector weights(60);
  std::vector<Index> repeated;
  for (Index i = 0; i < 60; ++i) {
    weights[i] = static_cast<double>(i % 3);  // 0, 1 or 2
    for (Index r = 0; r < i % 3; ++r) repeated.push_back(i);
  }
  for (const Engine engine : {&fit_exact, &fit_diagonal}) {
    for (const auto likelihood : {Likelihood::bernoulli, Likelihood::gaussian}) {
      const bool two = likelihood == Likelihood::bernoulli;
      const Matrix& phi = two ? classes.phi : numbers.phi;
      const Vector& t = two ? classes.t : numbers.t;
      const EngineOptions options{.max_stages = 15};
      const Fit weighted = engine(DenseDesign(phi), {likelihood, t, weights}, options, {});
      const Fit rows = engine(DenseDesign(phi(repeated, Eigen::all)), {likelihood, t(repeated), {}},
                              options, {});
      ASSERT_EQ(weighted.posterior.active, rows.posterior.active);
      // diagonal finds its modes to a relative 1e-3 only, and rounding may cost or save it a step.
      const double tolerance = engine == &fit_exact ? 1e-9 : 1e-4;
      EXPECT_LT((weighted.posterior.mean - rows.posterior.mean).norm(), tolerance);
      EXPECT_NEAR(weighted.posterior.log_evidence, rows.posterior.log_evidence, 100 * tolerance);
      EXPECT_NEAR(weighted.posterior.noise_variance, rows.posterior.noise_variance, tolerance);
    }
  }
}

TEST(RowWeights, BadWeightsAreRefused) {
  const auto problem = problems::planted_classification(10, 2, 1, 1, 21);
  const auto refuse = [&](const Vector& weights) {
    EXPECT_THROW(fit_exact(DenseDesign(problem.phi), {Likelihood::bernoulli, problem.t, weights}),
                 InputError);
  };
  refuse(Vector::Ones(9));
  refuse(-Vector::Ones(10));
  refuse(Vector::Zero(10));
  refuse(Vector::Constant(10, NAN));
  refuse(problem.t);  // only the positive class counts
}

}  // namespace
}  // namespace ardent
