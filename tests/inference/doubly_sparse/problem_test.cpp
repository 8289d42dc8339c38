#include "ardent/inference/doubly_sparse/problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ardent/base/error.h"
#include "ardent/inference/doubly_sparse/masked_distances.h"
#include "enumerated_posterior.h"

namespace ardent::doubly_sparse {
namespace {

TEST(KernelProblem, HostileInputIsRefused) {
  const KernelProblem good = brute_force::tiny_problem(6, 2, 3, Likelihood::bernoulli, 1);
  EXPECT_NO_THROW(validate(good));
  KernelProblem bad = good;
  bad.rows(2, 1) = std::nan("");
  EXPECT_THROW(validate(bad), InputError);
  bad = good;
  bad.centres(0, 0) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(validate(bad), InputError);
  bad = good;
  bad.t[0] = 0.5;
  EXPECT_THROW(validate(bad), InputError);
  bad.likelihood = Likelihood::gaussian;
  EXPECT_NO_THROW(validate(bad));
  bad.t[0] = std::nan("");
  EXPECT_THROW(validate(bad), InputError);
  bad = good;
  bad.t.conservativeResize(5);
  EXPECT_THROW(validate(bad), InputError);
  bad = good;
  bad.centres.resize(0, 2);
  EXPECT_THROW(validate(bad), InputError);
  bad = good;
  bad.centres.resize(3, 1);
  EXPECT_THROW(validate(bad), InputError);
  EXPECT_THROW(validate(KernelProblem{}), InputError);
}

TEST(KernelProblem, PredictorIsTheModelsSum) {
  const KernelProblem p = brute_force::tiny_problem(7, 3, 4, Likelihood::gaussian, 2);
  const KernelState state{.features = {1, 0, 1},
                          .basis = {3, 0},
                          .alpha = Eigen::Vector2d(2, -1),
                          .bias = 0.25,
                          .delta = 0.3};
  const Matrix k = brute_force::kernel_columns(p, state.features, {1, 0, 0, 1}, 0.3, false);
  const Vector f = predictor(p.rows, p.centres, state);
  for (Index i = 0; i < 7; ++i) EXPECT_NEAR(f[i], 0.25 - k(i, 0) + 2 * k(i, 1), 1e-14);
}

TEST(KernelProblem, LogLikelihoods) {
  KernelProblem p = brute_force::tiny_problem(4, 1, 2, Likelihood::bernoulli, 2);
  EXPECT_NEAR(log_likelihood(p, Vector::Zero(4), 1), 4 * std::log(0.5), 1e-14);
  p.likelihood = Likelihood::gaussian;
  EXPECT_NEAR(log_likelihood(p, p.t, 0.5), -2 * std::log(2 * std::numbers::pi * 0.5), 1e-14);
}

TEST(KernelProblem, DefaultDeltaIsOneOverTheMedianDistance) {
  Matrix rows(3, 1);
  rows << 0, 1, 3;  // squared distances 1, 4, 9
  EXPECT_DOUBLE_EQ(default_delta(rows), 0.25);
  EXPECT_EQ(default_delta(Matrix::Ones(5, 2)), 1);
  EXPECT_EQ(default_delta(Matrix::Ones(1, 2)), 1);
}

TEST(KernelProblem, RowsAreChosen) {
  const KernelProblem p = brute_force::tiny_problem(6, 2, 3, Likelihood::bernoulli, 1);
  const KernelProblem some = with_rows(p, {4, 1});
  EXPECT_EQ(some.rows.row(0), p.rows.row(4));
  EXPECT_EQ(some.t[1], p.t[1]);
  EXPECT_EQ(some.centres, p.centres);
}

TEST(MaskedDistances, TogglingOnAndOffComesBackAndNeverGoesNegative) {
  const KernelProblem p = brute_force::tiny_problem(9, 3, 4, Likelihood::gaussian, 8);
  Vector both(9), one(9), again(9);
  masked_distance(p.rows, p.centres, 2, {0, 2}, both);
  masked_distance(p.rows, p.centres, 2, {2}, one);
  changed_distance(p.rows, p.centres, 2, 0, -1, both, again);
  EXPECT_LT((again - one).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_GE(again.minCoeff(), 0);
  changed_distance(p.rows, p.centres, 2, 2, -1, one, again);
  EXPECT_EQ(again.minCoeff(), 0);  // row 2 is the centre itself
  changed_distance(p.rows, p.centres, 2, 0, -1, Vector::Zero(9), again);
  EXPECT_EQ(again, Vector::Zero(9));
  Vector part(4);
  masked_distance(p.rows, p.centres, 2, {0, 2}, part, 3);
  EXPECT_EQ(part, both.segment(3, 4));
}

}  // namespace
}  // namespace ardent::doubly_sparse
