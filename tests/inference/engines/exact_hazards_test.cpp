// The exact engine on hostile input, beside what evidence_hazards_test.cpp asks of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ardent/design/dense.h"
#include "ardent/inference/engines/exact.h"
#include "base/temporary_files.h"
#include "inference/evidence_engines.h"
#include "inference/fit_dense.h"
#include "problems/regression.h"

namespace ardent {
namespace {

using evidence_engines::expect_sound;
using evidence_engines::predict;
using testing::Contains;
using testing::HasSubstr;

TEST(ExactHazards, ColumnsTooSmallToBeSquaredAreLeftOut) {
  auto problem = problems::separable_classification(60, 4, 3);
  problem.phi.col(1) *= 1e-158;  // squares are denormal, and 1/square is infinite
  const Fit fit = exact_classify(problem.phi, problem.t);
  expect_sound(fit);
  EXPECT_THAT(fit.posterior.active, testing::Not(Contains(1)));
}

TEST(ExactHazards, EveryWeightPrunedKeepsTheLastStageAndWarns) {
  // Labels that no column has anything to say about.
  Random random(2);
  const Matrix phi = problems::normal_matrix(400, 3, random);
  Vector t(400);
  for (Index i = 0; i < 400; ++i) t[i] = static_cast<double>(i % 2);
  Matrix mirrored = phi;  // each row with both labels: no correlation at all
  for (Index i = 0; i < 400; i += 2) mirrored.row(i + 1) = mirrored.row(i);
  const Fit fit = exact_classify(mirrored, t);
  EXPECT_GE(fit.posterior.active.size(), 1u);
  EXPECT_THAT(fit.report.warnings,
              Contains(HasSubstr("every weight would be pruned; keeping the")));
  EXPECT_EQ(fit.report.status, Status::stalled);
  EXPECT_LT(predict(mirrored, fit.posterior).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(ExactHazards, JitterThatThePosteriorNeededIsReported) {
  // A noiseless difference of two columns, nearly equal, one of them given twice, once with the
  // other sign: the weights are large, so that their prior precisions are below the rounding of the
  // Hessian's diagonal, and nothing else tells the two apart.
  Random random(6);
  const Matrix base = problems::normal_matrix(100, 2, random);
  Matrix phi(100, 3);
  phi << base.col(0), base.col(0) + 1e-3 * base.col(1), -base.col(0);
  const Fit fit = exact_regress(phi, base.col(1));
  EXPECT_THAT(fit.report.warnings, Contains(HasSubstr("was added to the Hessian")));
  const Fit plain = exact_regress(phi.leftCols(2), base.col(1));
  EXPECT_THAT(plain.report.warnings, testing::Not(Contains(HasSubstr("was added to the Hessian"))));
}

TEST(ExactHazards, DuplicateColumnsShareTheirWeight) {
  const auto problem = problems::planted_classification(300, 5, 3, 1.5, 5);
  Matrix phi(300, 10);
  phi << problem.phi, problem.phi;
  const Fit plain = exact_classify(problem.phi, problem.t);
  const Fit fit = exact_classify(phi, problem.t);
  expect_sound(fit);
  EXPECT_LT(
      (predict(phi, fit.posterior) - predict(problem.phi, plain.posterior)).cwiseAbs().maxCoeff(),
      0.05);
  const auto regression = problems::planted_regression(200, 5, 3, 0.5, 6);
  Matrix twice(200, 10);
  twice << regression.phi, regression.phi;
  expect_sound(exact_regress(twice, regression.t));
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
  const Fit fit = exact_classify(phi, t);
  expect_sound(fit);
  EXPECT_EQ(fit.posterior.active.front(), 0);
  // A free bias makes the mean probability the base rate.
  const Vector f = predict(phi, fit.posterior);
  EXPECT_NEAR((1 / (1 + (-f.array()).exp())).mean(), t.mean(), 1e-6);
}

TEST(ExactHazards, AllValuesTimesAMillion) {
  const auto problem = problems::planted_classification(200, 12, 4, 1.5, 14);
  const Fit plain = exact_classify(problem.phi, problem.t);
  const Fit large = exact_classify(1e6 * problem.phi, problem.t);
  EXPECT_EQ(plain.posterior.active, large.posterior.active);
  EXPECT_LT((plain.posterior.mean - 1e6 * large.posterior.mean).norm(), 1e-6);
  EXPECT_LT((plain.posterior.alpha - 1e-12 * large.posterior.alpha).norm(),
            1e-6 * plain.posterior.alpha.norm());
  EXPECT_LT((plain.posterior.variance.head(4) - 1e12 * large.posterior.variance.head(4)).norm(),
            1e-6);
  EXPECT_NEAR(plain.posterior.log_evidence, large.posterior.log_evidence, 1e-6);
}

TEST(ExactHazards, ShapesThatDisagreeArePrinted) {
  EXPECT_EQ(message_of([] { exact_classify(Matrix::Ones(5, 2), Vector::Ones(4)); }),
            "the target has 4 entries but the design is 5 × 2: one entry per row is needed");
  EXPECT_THAT(message_of([] { exact_regress(Matrix(0, 2), Vector()); }), HasSubstr("no rows"));
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
  const std::string message = message_of([&] {
    fit_exact(HugeDesign(50000, 50000), {Likelihood::bernoulli, t});
  });
  EXPECT_THAT(message, HasSubstr("need about 75 GiB for a design of 50000 × 50000"));
}

}  // namespace
}  // namespace ardent
