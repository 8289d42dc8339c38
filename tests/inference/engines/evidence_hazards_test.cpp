// Engines with an exact evidence on hostile input: each test is named after the hazard.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/temporary_files.h"
#include "inference/evidence_engines.h"
#include "problems/regression.h"

namespace ardent {
namespace {

using evidence_engines::accuracy;
using evidence_engines::expect_settled;
using evidence_engines::predict;
using testing::Contains;
using testing::HasSubstr;

class EvidenceHazards : public evidence_engines::EveryEngine {};

INSTANTIATE_TEST_SUITE_P(Engines, EvidenceHazards, evidence_engines::kNames,
                         evidence_engines::name_of);

TEST_P(EvidenceHazards, SeparableDataKeepFiniteWeights) {
  for (const Index cols : {Index{2}, Index{10}, Index{100}}) {
    const auto problem = problems::separable_classification(60, cols, 1);
    const Fit fit = classify(problem.phi, problem.t);
    expect_settled(fit);
    EXPECT_GT(accuracy(predict(problem.phi, fit.posterior), problem.t), 0.95);
    EXPECT_LT(fit.posterior.mean.cwiseAbs().maxCoeff(), 1e3);
  }
}

TEST_P(EvidenceHazards, AConstantColumnBesideTheBiasIsNotKept) {
  auto problem = problems::planted_classification(300, 6, 3, 1.5, 3, 1.0);
  const Fit plain = classify(problem.phi, problem.t);
  Matrix phi(300, 7);
  phi << Vector::Constant(300, 5), problem.phi;
  const Fit fit = classify(phi, problem.t);
  expect_settled(fit);
  EXPECT_NE(fit.posterior.active.front(), 0);
  EXPECT_NEAR(fit.posterior.bias, plain.posterior.bias, 1e-6);
}

TEST_P(EvidenceHazards, ZeroColumnsAreLeftOutAndCounted) {
  const auto problem = problems::planted_classification(300, 4, 4, 1.5, 4);
  Matrix phi = Matrix::Zero(300, 7);
  phi.col(1) = problem.phi.col(0);
  phi.col(2) = problem.phi.col(1);
  phi.col(5) = problem.phi.col(2);
  phi.col(6) = problem.phi.col(3);
  const Fit plain = classify(problem.phi, problem.t);
  const Fit fit = classify(phi, problem.t);
  EXPECT_THAT(fit.report.warnings,
              Contains("3 of 7 columns are zero in every row and were left out"));
  EXPECT_EQ(fit.posterior.active, (std::vector<Index>{1, 2, 5, 6}));
  EXPECT_EQ(fit.posterior.mean, plain.posterior.mean);
}

TEST_P(EvidenceHazards, AllColumnsZeroLeavesTheBiasAlone) {
  Vector t = Vector::Zero(10);
  t.head(3).setOnes();
  const Fit fit = classify(Matrix::Zero(10, 4), t);
  expect_settled(fit);
  EXPECT_TRUE(fit.posterior.active.empty());
  EXPECT_NEAR(fit.posterior.bias, std::log(0.3 / 0.7), 1e-4);
  EXPECT_EQ(fit.report.status, Status::converged);
  const Fit mean = regress(Matrix::Zero(10, 4), t);
  EXPECT_NEAR(mean.posterior.bias, 0.3, 1e-9);
  EXPECT_NEAR(mean.posterior.noise_variance, 2.1 / 9, 1e-3);
  EXPECT_THAT(message_of([&] { classify(Matrix::Zero(10, 4), t, {.bias = false}); }),
              HasSubstr("nothing to fit"));
}

TEST_P(EvidenceHazards, ManyMoreColumnsThanRows) {
  const auto problem = problems::planted_classification(100, 3000, 3, 5.0, 7);
  const Fit fit = classify(problem.phi, problem.t);
  expect_settled(fit);
  EXPECT_EQ(fit.report.status, Status::converged);
  EXPECT_LE(fit.posterior.active.size(), 100u);
  const auto regression = problems::planted_regression(80, 1000, 3, 0.1, 8);
  const Fit sparse = regress(regression.phi, regression.t);
  expect_settled(sparse);
  for (const Index k : {0, 1, 2}) EXPECT_THAT(sparse.posterior.active, Contains(k));
}

TEST_P(EvidenceHazards, OneClassIsRefused) {
  EXPECT_THAT(message_of([this] { classify(Matrix::Ones(5, 2), Vector::Ones(5)); }),
              HasSubstr("all 5 rows are of one class (1)"));
  EXPECT_THAT(message_of([this] { classify(Matrix::Ones(1, 2), Vector::Zero(1)); }),
              HasSubstr("one class"));
}

TEST_P(EvidenceHazards, ColumnsTimesAMillionOrAMillionthChangeNothing) {
  const auto check = [this](const Matrix& phi, const Vector& t, Likelihood likelihood) {
    Vector millions(phi.cols()), twos(phi.cols());
    for (Index k = 0; k < phi.cols(); ++k) {
      millions[k] = k % 3 == 0 ? 1e6 : k % 3 == 1 ? 1e-6 : 1;
      twos[k] = std::ldexp(1.0, static_cast<int>(k % 41) - 20);
    }
    const auto predictions = [&](const Vector& factors) {
      const Matrix scaled = phi * factors.asDiagonal();
      // To more digits than are compared: a latent value is 34 here, and stages stop at a relative
      // change.
      const Fit found = fit(DenseDesign(scaled), {likelihood, t}, {.tolerance = 1e-9});
      return predict(scaled, found.posterior);
    };
    const Vector plain = predictions(Vector::Ones(phi.cols()));
    EXPECT_LT((plain - predictions(millions)).cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_EQ(plain, predictions(twos)) << "powers of two are exact";
  };
  const auto linear = problems::planted_classification(200, 12, 4, 1.5, 10);
  check(linear.phi, linear.t, Likelihood::bernoulli);
  const auto kernel = problems::kernel_classification(120, 1.0, 11);
  check(kernel.phi, kernel.t, Likelihood::bernoulli);
  const auto regression = problems::planted_regression(150, 12, 4, 0.5, 12);
  check(regression.phi, regression.t, Likelihood::gaussian);
  const auto sinc = problems::sinc_regression(80, 0.1, 13);
  check(sinc.phi, sinc.t, Likelihood::gaussian);
}

TEST_P(EvidenceHazards, NotANumberIsRefusedByColumnOrRow) {
  Matrix phi = Matrix::Random(6, 3);
  const Vector t = (Vector(6) << 0, 1, 0, 1, 0, 1).finished();
  phi(4, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(message_of([&] { classify(phi, t); }), HasSubstr("column 2 of the design"));
  phi(4, 2) = std::numeric_limits<double>::infinity();
  EXPECT_THAT(message_of([&] { regress(phi, t); }), HasSubstr("column 2 of the design"));
  Vector bad = t;
  bad[5] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(message_of([&] { regress(Matrix::Random(6, 3), bad); }),
              HasSubstr("the target of row 5 is nan"));
  bad[5] = -1;
  EXPECT_THAT(message_of([&] { classify(Matrix::Random(6, 3), bad); }),
              HasSubstr("the target of row 5 is -1, but the Bernoulli likelihood needs 0 or 1"));
}

TEST_P(EvidenceHazards, OneOrTwoRows) {
  const Fit two = classify((Matrix(2, 1) << -1, 1).finished(), (Vector(2) << 0, 1).finished());
  expect_settled(two);
  const Fit one = regress(Matrix::Ones(1, 2), Vector::Constant(1, 7));
  expect_settled(one);
  EXPECT_EQ(one.posterior.bias, 7);
  const Fit line = regress((Matrix(2, 1) << -1, 1).finished(), (Vector(2) << 3, 5).finished());
  expect_settled(line);
  expect_settled(regress(Matrix::Random(3, 5), (Vector(3) << 1, 2, 4).finished()));
}

TEST_P(EvidenceHazards, ConstantTargetNeedsNoWeights) {
  const Fit fit = regress(Matrix::Random(20, 3), Vector::Constant(20, -4));
  expect_settled(fit);
  EXPECT_TRUE(fit.posterior.active.empty());
  EXPECT_EQ(fit.posterior.bias, -4);
  EXPECT_DOUBLE_EQ(fit.posterior.noise_variance, 16e-8);
  EXPECT_THAT(fit.report.warnings, Contains(HasSubstr("the target is -4 in every row")));
  const Fit zero = regress(Matrix::Random(20, 3), Vector::Zero(20), {.bias = false});
  EXPECT_TRUE(zero.posterior.active.empty());
  EXPECT_GT(zero.posterior.noise_variance, 0);
  EXPECT_EQ(zero.posterior.covariance.size(), 0);
}

TEST_P(EvidenceHazards, HugeAndTinyTargetsAreRefusedWhateverLiesBetweenIsScaled) {
  const auto problem = problems::planted_regression(60, 4, 2, 0.3, 21);
  const Fit plain = regress(problem.phi, problem.t);
  for (const int power : {-390, -200, 200, 390}) {  // 2^±390 is 1e±117
    const double factor = std::ldexp(1.0, power);
    const Fit fit = regress(problem.phi, factor * problem.t);
    expect_settled(fit);
    EXPECT_EQ(fit.posterior.active, plain.posterior.active);
    EXPECT_EQ(fit.posterior.mean, factor * plain.posterior.mean) << "powers of two are exact";
    EXPECT_EQ(fit.posterior.noise_variance, factor * factor * plain.posterior.noise_variance);
  }
  for (const double factor : {1e200, 1e300, 1e-170, 1e-300}) {
    EXPECT_THAT(message_of([&] { regress(problem.phi, factor * problem.t); }),
                HasSubstr("it must be 0, or from 1e-120 to 1e+120"));
    EXPECT_THAT(message_of([&] { regress(problem.phi, Vector::Constant(60, factor)); }),
                HasSubstr(fmt::format("largest absolute value is {:g}", factor)));
  }
  EXPECT_THAT(message_of([&] { regress(1e-100 * problem.phi, 1e100 * problem.t); }),
              HasSubstr("column 0 of the design has the root mean square"));
}

TEST_P(EvidenceHazards, PerfectlyFittedTargetStopsAtTheNoiseOfThePrior) {
  const auto problem = problems::planted_regression(50, 4, 3, 0.0, 15);
  const Fit fit = regress(problem.phi, problem.t);
  expect_settled(fit);
  EXPECT_EQ(fit.report.status, Status::converged);
  // Shrunk by σ²alpha/N, about 1e-9 of each weight.
  EXPECT_LT((fit.posterior.mean.head(3) - problem.w.head(3)).norm(), 1e-8);
  const double variance = (problem.t.array() - problem.t.mean()).square().mean();
  const double free = 50 - fit.posterior.gamma.sum() - 1;
  EXPECT_NEAR(fit.posterior.noise_variance / variance * (free + 1e-6), 1e-6, 1e-9);
  EXPECT_THAT(fit.report.warnings, Contains(HasSubstr("fitted perfectly")));
}

TEST_P(EvidenceHazards, NearlyCollinearHiddenNodesDoNotFail) {
  // 200 sigmoid nodes with weights in [−1, 1] on three inputs: rank is a handful to rounding.
  Random random(16);
  const Matrix x = 0.1 * problems::normal_matrix(400, 3, random);
  Matrix phi(400, 200);
  for (Index k = 0; k < 200; ++k) {
    const Vector a = Vector::NullaryExpr(3, [&](Index) { return random.uniform(-1, 1); });
    phi.col(k) = 1 / (1 + (-(x * a).array() - random.uniform(-1, 1)).exp());
  }
  Vector t(400);
  for (Index i = 0; i < 400; ++i) {
    t[i] = x(i, 0) - x(i, 1) + 0.05 * random.normal() > 0 ? 1 : 0;
  }
  const Fit fit = classify(phi, t);
  expect_settled(fit);
  EXPECT_GT(accuracy(predict(phi, fit.posterior), t), 0.8);
  expect_settled(regress(phi, x.col(0) - x.col(1)));
}

}  // namespace
}  // namespace ardent
