#include "ardent/inference/engines/one_precision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ardent/design/dense.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/inference/evidence/standard_units.h"
#include "problems/classification.h"
#include "problems/regression.h"

namespace ardent {
namespace {

struct RandomColumns {
  Matrix phi;
  Target target;
};

RandomColumns random_columns(Index rows, Index count, Likelihood likelihood, std::uint64_t seed) {
  Random random(seed);
  RandomColumns problem{problems::normal_matrix(rows, count, random), {likelihood, Vector(rows)}};
  const Vector w = problems::normal_matrix(count, 1, random).col(0) * std::sqrt(3.0 / count);
  const Vector f = problem.phi * w;
  for (Index i = 0; i < rows; ++i) {
    const bool classes = likelihood == Likelihood::bernoulli;
    problem.target.t[i] =
        classes ? random.uniform(0, 1) < bernoulli::sigmoid(f[i]) : f[i] + random.normal();
  }
  return problem;
}

ActiveProblem standard_problem(const RandomColumns& own) {
  std::vector<std::string> warnings;
  return standardise(DenseDesign(own.phi), own.target, {}, warnings).problem;
}

EvidenceState learnt(const RandomColumns& own) {
  EngineOptions options;
  options.tolerance = 1e-6;
  Report report;
  const ActiveProblem problem = standard_problem(own);
  return learn_one_precision(
      problem, {Vector::Constant(problem.active(), 1.0), 0.1}, false, options, nullptr,
      [](const EvidenceState&, double) { return true; }, report);
}

TEST(OnePrecision, ARegressionsIsTheMaximumOfTheEvidence) {
  const RandomColumns own = random_columns(80, 30, Likelihood::gaussian, 1);
  const EvidenceState best = learnt(own);
  const double alpha = best.precisions.alpha[0], noise = best.precisions.noise_variance;
  for (const double factor : {0.9, 1.1}) {
    EXPECT_LT(tied_state(best.problem, factor * alpha, noise, {}).objective, best.objective);
    EXPECT_LT(tied_state(best.problem, alpha, factor * noise, {}).objective, best.objective);
  }
}

TEST(OnePrecision, OfClassesOthersLeaveRowsThatAreLeftOutLessLikely) {
  for (const std::uint64_t seed : {2, 3, 4}) {
    const EvidenceState best = learnt(random_columns(80, 30, Likelihood::bernoulli, seed));
    const double alpha = best.precisions.alpha[0];
    for (const double factor : {0.1, 10.0}) {
      EXPECT_GT(left_out_loss(tied_state(best.problem, factor * alpha, 1, {})),
                left_out_loss(best) - 0.05)
          << factor;
    }
  }
}

/// In fewer and in more dimensions than rows: the primal and the dual space.
TEST(OnePrecision, LeftOutRowsAreThoseOfFitsWithoutThem) {
  for (const Index count : {10, 90}) {
    const RandomColumns own = random_columns(60, count, Likelihood::bernoulli, 5);
    const ActiveProblem problem = standard_problem(own);
    ASSERT_EQ(prefers_dual(problem), count == 90);
    const EvidenceState whole = tied_state(problem, 10, 1, {});
    double loss = 0;
    for (Index left = 0; left < 60; ++left) {
      ActiveProblem others = problem;
      others.row_weights = Vector::Ones(60);
      others.row_weights[left] = 0;
      const double f = tied_state(others, 10, 1, {}).mode.predictor.fitted[left];
      loss += bernoulli::log1p_exp(problem.t[left] > 0.5 ? -f : f);
    }
    const double in_sample = -whole.mode.log_likelihood;
    EXPECT_NEAR(left_out_loss(whole), loss, 0.05 * (loss - in_sample)) << count << " columns";
  }
}

TEST(OnePrecision, LeveragesAreThoseOfTheCovariance) {
  for (const Index count : {10, 200}) {
    for (const bool bias : {true, false}) {
      const ActiveProblem problem =
          standard_problem(random_columns(60, count, Likelihood::bernoulli, 6));
      EngineOptions options;
      options.bias = bias;
      const EvidenceState state = tied_state(problem, 3, 1, options);
      Vector residual, curvature;
      bernoulli::derivatives(problem.t, state.mode.predictor.fitted, residual, curvature);
      Matrix rows(60, count + (bias ? 1 : 0));
      for (Index k = 0; k < count; ++k) {
        rows.col(k) = problem.phi->columns(std::vector<Index>{k}).col(0);
      }
      if (bias) rows.rightCols(1).setOnes();
      const Vector wanted = (rows * state.space->covariance())
                                .cwiseProduct(rows)
                                .rowwise()
                                .sum()
                                .cwiseProduct(curvature);
      EXPECT_LT((state.space->leverages() - wanted).cwiseAbs().maxCoeff(), 1e-9);
    }
  }
}

TEST(OnePrecision, ARowOfWeightTwoIsLeftOutAsTwoRowsAre) {
  const RandomColumns own = random_columns(60, 10, Likelihood::bernoulli, 7);
  ActiveProblem weighted = standard_problem(own);
  weighted.row_weights = Vector::Constant(60, 2.0);
  RandomColumns twice{Matrix(120, 10), {Likelihood::bernoulli, Vector(120)}};
  twice.phi << own.phi, own.phi;
  twice.target.t << own.target.t, own.target.t;
  EXPECT_NEAR(left_out_loss(tied_state(weighted, 5, 1, {})),
              left_out_loss(tied_state(standard_problem(twice), 5, 1, {})), 1e-6);
}

}  // namespace
}  // namespace ardent
