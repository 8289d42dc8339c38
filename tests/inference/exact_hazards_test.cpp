// The exact engine on hostile input: each test is named after the hazard.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ardent/base/error.h"
#include "ardent/design/dense.h"
#include "ardent/inference/exact.h"
#include "problems/regression.h"

namespace ardent {
namespace {

using testing::Contains;
using testing::HasSubstr;

Fit classify(const Matrix& phi, const Vector& t, const EngineOptions& options = {}) {
  return fit_exact(DenseDesign(phi), {Likelihood::bernoulli, t}, options);
}

Fit regress(const Matrix& phi, const Vector& t, const EngineOptions& options = {}) {
  return fit_exact(DenseDesign(phi), {Likelihood::gaussian, t}, options);
}

Vector predict(const Matrix& phi, const Posterior& posterior) {
  Vector f = Vector::Constant(phi.rows(), posterior.bias);
  for (std::size_t k = 0; k < posterior.active.size(); ++k) {
    f += phi.col(posterior.active[k]) * posterior.mean[static_cast<Index>(k)];
  }
  return f;
}

template <class Call>
std::string complaint(Call call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

void expect_sound(const Fit& fit) {
  EXPECT_TRUE(fit.posterior.mean.allFinite());
  EXPECT_TRUE(fit.posterior.alpha.allFinite());
  EXPECT_TRUE(fit.posterior.covariance.allFinite());
  EXPECT_TRUE(std::isfinite(fit.posterior.bias));
  EXPECT_TRUE(std::isfinite(fit.posterior.log_evidence));
  EXPECT_TRUE((fit.posterior.variance.array() > 0).all());
}

double accuracy(const Vector& f, const Vector& t) {
  return ((f.array() > 0) == (t.array() > 0.5)).cast<double>().mean();
}

TEST(ExactHazards, ColumnsTooSmallToBeSquaredAreLeftOut) {
  auto problem = problems::separable_classification(60, 4, 3);
  problem.phi.col(1) *= 1e-158;  // squares are denormal, and 1/square is infinite
  const Fit fit = classify(problem.phi, problem.t);
  expect_sound(fit);
  EXPECT_THAT(fit.posterior.active, testing::Not(Contains(1)));
}

TEST(ExactHazards, SeparableDataKeepFiniteWeights) {
  for (const Index cols : {Index{2}, Index{10}, Index{100}}) {
    const auto problem = problems::separable_classification(60, cols, 1);
    const Fit fit = classify(problem.phi, problem.t);
    expect_sound(fit);
    EXPECT_GT(accuracy(predict(problem.phi, fit.posterior), problem.t), 0.95);
    EXPECT_LT(fit.posterior.mean.cwiseAbs().maxCoeff(), 1e3);
  }
}

TEST(ExactHazards, EveryWeightPrunedKeepsTheLastStageAndWarns) {
  // Labels that no column has anything to say about.
  Random random(2);
  const Matrix phi = problems::normal_matrix(400, 3, random);
  Vector t(400);
  for (Index i = 0; i < 400; ++i) t[i] = static_cast<double>(i % 2);
  Matrix mirrored = phi;  // each row with both labels: no correlation at all
  for (Index i = 0; i < 400; i += 2) mirrored.row(i + 1) = mirrored.row(i);
  const Fit fit = classify(mirrored, t);
  EXPECT_GE(fit.posterior.active.size(), 1u);
  EXPECT_THAT(fit.report.warnings,
              Contains(HasSubstr("every weight would be pruned; keeping the")));
  EXPECT_EQ(fit.report.status, Status::stalled);
  EXPECT_LT(predict(mirrored, fit.posterior).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(ExactHazards, ConstantColumnBesideTheBiasIsPruned) {
  auto problem = problems::planted_classification(300, 6, 3, 1.5, 3, 1.0);
  const Fit plain = classify(problem.phi, problem.t);
  Matrix phi(300, 7);
  phi << Vector::Constant(300, 5), problem.phi;
  const Fit fit = classify(phi, problem.t);
  expect_sound(fit);
  EXPECT_NE(fit.posterior.active.front(), 0);
  EXPECT_NEAR(fit.posterior.bias, plain.posterior.bias, 1e-3);
}

TEST(ExactHazards, ZeroColumnsAreLeftOutAndCounted) {
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

TEST(ExactHazards, AllColumnsZeroLeavesTheBiasAlone) {
  Vector t = Vector::Zero(10);
  t.head(3).setOnes();
  const Fit fit = classify(Matrix::Zero(10, 4), t);
  expect_sound(fit);
  EXPECT_TRUE(fit.posterior.active.empty());
  EXPECT_NEAR(fit.posterior.bias, std::log(0.3 / 0.7), 1e-4);
  EXPECT_EQ(fit.report.status, Status::converged);
  const Fit mean = regress(Matrix::Zero(10, 4), t);
  EXPECT_NEAR(mean.posterior.bias, 0.3, 1e-9);
  EXPECT_NEAR(mean.posterior.noise_variance, 2.1 / 9, 1e-3);
  EXPECT_THAT(complaint([&] { classify(Matrix::Zero(10, 4), t, {.bias = false}); }),
              HasSubstr("nothing to fit"));
}

TEST(ExactHazards, DuplicateColumnsShareTheirWeight) {
  const auto problem = problems::planted_classification(300, 5, 3, 1.5, 5);
  Matrix phi(300, 10);
  phi << problem.phi, problem.phi;
  const Fit plain = classify(problem.phi, problem.t);
  const Fit fit = classify(phi, problem.t);
  expect_sound(fit);
  EXPECT_LT(
      (predict(phi, fit.posterior) - predict(problem.phi, plain.posterior)).cwiseAbs().maxCoeff(),
      0.05);
  const auto regression = problems::planted_regression(200, 5, 3, 0.5, 6);
  Matrix twice(200, 10);
  twice << regression.phi, regression.phi;
  expect_sound(regress(twice, regression.t));
}

TEST(ExactHazards, ManyMoreColumnsThanRows) {
  const auto problem = problems::planted_classification(100, 3000, 3, 5.0, 7);
  const Fit fit = classify(problem.phi, problem.t);
  expect_sound(fit);
  EXPECT_EQ(fit.report.status, Status::converged);
  EXPECT_LE(fit.posterior.active.size(), 100u);
  const auto regression = problems::planted_regression(80, 1000, 3, 0.1, 8);
  const Fit sparse = regress(regression.phi, regression.t);
  expect_sound(sparse);
  for (const Index k : {0, 1, 2}) EXPECT_THAT(sparse.posterior.active, Contains(k));
}

TEST(ExactHazards, OneClassIsRefused) {
  EXPECT_THAT(complaint([] { classify(Matrix::Ones(5, 2), Vector::Ones(5)); }),
              HasSubstr("all 5 rows are of one class (1)"));
  EXPECT_THAT(complaint([] { classify(Matrix::Ones(1, 2), Vector::Zero(1)); }),
              HasSubstr("one class"));
}

TEST(ExactHazards, FivePercentPositives) {
  Random random(9);
  const Matrix phi = problems::normal_matrix(1000, 10, random);
  Vector t = Vector::Zero(1000);
  for (Index i = 0; i < 1000; ++i) {
    t[i] = random.uniform() < 1 / (1 + std::exp(4.2 - 2 * phi(i, 0))) ? 1 : 0;
  }
  ASSERT_LT(t.mean(), 0.09);
  ASSERT_GT(t.mean(), 0.03);
  const Fit fit = classify(phi, t);
  expect_sound(fit);
  EXPECT_EQ(fit.posterior.active.front(), 0);
  // A free bias makes the mean probability the base rate.
  const Vector f = predict(phi, fit.posterior);
  EXPECT_NEAR((1 / (1 + (-f.array()).exp())).mean(), t.mean(), 1e-6);
}

/// Predictions at the training points, with the columns multiplied by `factors`.
Vector scaled_predictions(const Matrix& phi, const Vector& t, Likelihood likelihood,
                          const Vector& factors) {
  const Matrix scaled = phi * factors.asDiagonal();
  return predict(scaled, fit_exact(DenseDesign(scaled), {likelihood, t}).posterior);
}

TEST(ExactHazards, ColumnsTimesAMillionOrAMillionthChangeNothing) {
  const auto linear = problems::planted_classification(200, 12, 4, 1.5, 10);
  const auto kernel = problems::kernel_classification(120, 1.0, 11);
  const auto regression = problems::planted_regression(150, 12, 4, 0.5, 12);
  const auto sinc = problems::sinc_regression(80, 0.1, 13);
  const auto check = [](const Matrix& phi, const Vector& t, Likelihood likelihood) {
    const Index m = phi.cols();
    Vector millions(m), twos(m);
    for (Index k = 0; k < m; ++k) {
      millions[k] = k % 3 == 0 ? 1e6 : k % 3 == 1 ? 1e-6 : 1;
      twos[k] = std::ldexp(1.0, static_cast<int>(k % 41) - 20);
    }
    const Vector plain = scaled_predictions(phi, t, likelihood, Vector::Ones(m));
    const Vector far = scaled_predictions(phi, t, likelihood, millions);
    EXPECT_LT((plain - far).cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_EQ(plain, scaled_predictions(phi, t, likelihood, twos)) << "powers of two are exact";
  };
  check(linear.phi, linear.t, Likelihood::bernoulli);
  check(kernel.phi, kernel.t, Likelihood::bernoulli);
  check(regression.phi, regression.t, Likelihood::gaussian);
  check(sinc.phi, sinc.t, Likelihood::gaussian);
}

TEST(ExactHazards, AllValuesTimesAMillion) {
  const auto problem = problems::planted_classification(200, 12, 4, 1.5, 14);
  const Fit plain = classify(problem.phi, problem.t);
  const Fit large = classify(1e6 * problem.phi, problem.t);
  EXPECT_EQ(plain.posterior.active, large.posterior.active);
  EXPECT_LT((plain.posterior.mean - 1e6 * large.posterior.mean).norm(), 1e-6);
  EXPECT_LT((plain.posterior.alpha - 1e-12 * large.posterior.alpha).norm(),
            1e-6 * plain.posterior.alpha.norm());
  EXPECT_LT((plain.posterior.variance.head(4) - 1e12 * large.posterior.variance.head(4)).norm(),
            1e-6);
  EXPECT_NEAR(plain.posterior.log_evidence, large.posterior.log_evidence, 1e-6);
}

TEST(ExactHazards, NotANumberIsRefusedByColumnOrRow) {
  Matrix phi = Matrix::Random(6, 3);
  const Vector t = (Vector(6) << 0, 1, 0, 1, 0, 1).finished();
  phi(4, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(complaint([&] { classify(phi, t); }), HasSubstr("column 2 of the design"));
  phi(4, 2) = std::numeric_limits<double>::infinity();
  EXPECT_THAT(complaint([&] { regress(phi, t); }), HasSubstr("column 2 of the design"));
  Vector bad = t;
  bad[5] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(complaint([&] { regress(Matrix::Random(6, 3), bad); }),
              HasSubstr("the target of row 5 is nan"));
  bad[5] = -1;
  EXPECT_THAT(complaint([&] { classify(Matrix::Random(6, 3), bad); }),
              HasSubstr("the target of row 5 is -1, but the Bernoulli likelihood needs 0 or 1"));
}

TEST(ExactHazards, ShapesThatDisagreeArePrinted) {
  EXPECT_EQ(complaint([] { classify(Matrix::Ones(5, 2), Vector::Ones(4)); }),
            "the target has 4 entries but the design is 5 × 2: one entry per row is needed");
  EXPECT_THAT(complaint([] { regress(Matrix(0, 2), Vector()); }), HasSubstr("no rows"));
}

TEST(ExactHazards, OneOrTwoRows) {
  const Fit two = classify((Matrix(2, 1) << -1, 1).finished(), (Vector(2) << 0, 1).finished());
  expect_sound(two);
  const Fit one = regress(Matrix::Ones(1, 2), Vector::Constant(1, 7));
  expect_sound(one);
  EXPECT_EQ(one.posterior.bias, 7);
  const Fit line = regress((Matrix(2, 1) << -1, 1).finished(), (Vector(2) << 3, 5).finished());
  expect_sound(line);
  expect_sound(regress(Matrix::Random(3, 5), (Vector(3) << 1, 2, 4).finished()));
}

TEST(ExactHazards, ConstantTargetNeedsNoWeights) {
  const Fit fit = regress(Matrix::Random(20, 3), Vector::Constant(20, -4));
  expect_sound(fit);
  EXPECT_TRUE(fit.posterior.active.empty());
  EXPECT_EQ(fit.posterior.bias, -4);
  EXPECT_DOUBLE_EQ(fit.posterior.noise_variance, 16e-8);
  EXPECT_THAT(fit.report.warnings, Contains(HasSubstr("the target is -4 in every row")));
  const Fit zero = regress(Matrix::Random(20, 3), Vector::Zero(20), {.bias = false});
  EXPECT_TRUE(zero.posterior.active.empty());
  EXPECT_GT(zero.posterior.noise_variance, 0);
  EXPECT_EQ(zero.posterior.covariance.size(), 0);
}

TEST(ExactHazards, PerfectlyFittedTargetStopsAtTheNoiseFloor) {
  const auto problem = problems::planted_regression(50, 4, 3, 0.0, 15);
  const Fit fit = regress(problem.phi, problem.t);
  expect_sound(fit);
  EXPECT_EQ(fit.report.status, Status::converged);
  EXPECT_LT((fit.posterior.mean.head(3) - problem.w.head(3)).norm(), 1e-6);
  const double variance = (problem.t.array() - problem.t.mean()).square().mean();
  EXPECT_NEAR(fit.posterior.noise_variance / variance, 1e-8, 1e-12);
  EXPECT_THAT(fit.report.warnings, Contains(HasSubstr("fitted perfectly")));
}

TEST(ExactHazards, NearlyCollinearHiddenNodesDoNotFail) {
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
  expect_sound(fit);
  EXPECT_GT(accuracy(predict(phi, fit.posterior), t), 0.8);
  expect_sound(regress(phi, x.col(0) - x.col(1)));
}

/// A design that claims to be huge; nothing but norms is asked before it is refused.
class HugeDesign : public Design {
 public:
  HugeDesign(Index rows, Index cols) : Design(rows, cols) {}
  std::unique_ptr<Design> clone() const override { return std::make_unique<HugeDesign>(*this); }

 protected:
  void do_multiply(const Eigen::Ref<const Vector>&, Vector&) const override { ADD_FAILURE(); }
  void do_multiply_transposed(const Vector&, Vector&) const override { ADD_FAILURE(); }
  void do_weighted_square_norms(const Vector&, Vector& out) const override { out.setOnes(); }
  void do_weighted_gram(const Vector&, Matrix&) const override { ADD_FAILURE(); }
  void do_weighted_outer(const Vector&, Matrix&) const override { ADD_FAILURE(); }
  void do_columns(std::span<const Index>, Matrix&) const override { ADD_FAILURE(); }
  void do_keep(std::span<const Index>) override {}
};

TEST(ExactHazards, DesignsBeyondMemoryAreRefusedWithTheirSize) {
  Vector t = Vector::Zero(50000);
  t[0] = 1;
  const std::string message = complaint([&] {
    fit_exact(HugeDesign(50000, 50000), {Likelihood::bernoulli, t});
  });
  EXPECT_THAT(message, HasSubstr("need about 75 GiB for a design of 50000 × 50000"));
}

}  // namespace
}  // namespace ardent
