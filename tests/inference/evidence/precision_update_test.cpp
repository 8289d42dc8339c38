#include "ardent/inference/evidence/precision_update.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "ardent/design/dense.h"
#include "problems/regression.h"

namespace ardent {
namespace {

EvidenceState gaussian_state(const problems::Regression& data, const Vector& alpha, double noise,
                             const EngineOptions& options) {
  ActiveProblem problem;
  problem.phi = std::make_shared<DenseDesign>(data.phi);
  problem.columns.resize(data.phi.cols());
  std::iota(problem.columns.begin(), problem.columns.end(), Index{0});
  problem.likelihood = Likelihood::gaussian;
  problem.t = data.t;
  EvidenceState state = evaluate(problem, {alpha, noise}, options);
  find_relevance(state);
  return state;
}

/// The evidence as a function of one precision, all else as in the state.
double evidence_at(const EvidenceState& state, Index k, double alpha,
                   const EngineOptions& options) {
  Precisions precisions = state.precisions;
  precisions.alpha[k] = alpha;
  return evaluate(state.problem, precisions, options).log_evidence;
}

TEST(PrecisionUpdate, MacKaysStepIsGammaOverSquaredWeight) {
  const auto data = problems::planted_regression(40, 5, 3, 0.5, 1);
  const EngineOptions options;
  const EvidenceState state = gaussian_state(data, Vector::Constant(5, 0.5), 0.3, options);
  const Proposal proposal = mackay_proposal(state, options);
  for (Index k = 0; k < 3; ++k) {
    EXPECT_NEAR(0.5 * std::exp(proposal.log_alpha[k]),
                state.relevance.gamma[k] / (state.w[k] * state.w[k]), 1e-9);
  }
}

TEST(PrecisionUpdate, OwnMaximumIsWhereTheEvidenceOfOnePrecisionPeaks) {
  const auto data = problems::planted_regression(40, 6, 3, 0.7, 2);
  const EngineOptions options;
  const EvidenceState state = gaussian_state(data, Vector::Constant(6, 0.5), 0.5, options);
  const Proposal proposal = own_maximum_proposal(state, options);
  int finite = 0;
  for (Index k = 0; k < 6; ++k) {
    const double best = 0.5 * std::exp(proposal.log_alpha[k]);
    const double peak = evidence_at(state, k, std::min(best, 1e12), options);
    if (best < options.alpha_max) {
      ++finite;
      EXPECT_GT(peak, evidence_at(state, k, best * 1.02, options));
      EXPECT_GT(peak, evidence_at(state, k, best / 1.02, options));
    } else {
      for (const double smaller : {0.1, 1.0, 100.0}) {
        EXPECT_GE(peak, evidence_at(state, k, smaller, options) - 1e-6);
      }
    }
  }
  EXPECT_GE(finite, 3);
}

TEST(PrecisionUpdate, BothStepsPointUpTheEvidence) {
  const auto data = problems::planted_regression(40, 12, 4, 0.7, 3);
  const EngineOptions options;
  Random random(4);
  for (int trial = 0; trial < 10; ++trial) {
    const Vector alpha =
        Vector::NullaryExpr(12, [&](Index) { return std::exp(random.uniform(-3, 3)); });
    const EvidenceState state = gaussian_state(data, alpha, 0.4, options);
    const Vector slope = evidence_slope(state);
    const Proposal mackay = mackay_proposal(state, options);
    const Proposal own = own_maximum_proposal(state, options);
    for (Index k = 0; k < 12; ++k) {
      EXPECT_GT(slope[k] * mackay.log_alpha[k], 0);
      EXPECT_GT(slope[k] * own.log_alpha[k], 0);
    }
    EXPECT_LT(noise_precision_slope(state) * mackay.log_noise, 0);
  }
}

TEST(PrecisionUpdate, AWeightThatTheDataSpeakForIsHeldAtAlphaMaxRatherThanPruned) {
  // A precise weight of 0.1: its best precision, about 100, lies beyond this alpha_max.
  auto data = problems::planted_regression(2000, 2, 1, 0.0, 5, 0);
  Random random(6);
  data.t = 0.1 * data.phi.col(0);
  for (Index i = 0; i < 2000; ++i) data.t[i] += random.normal();
  const EngineOptions options{.bias = false, .alpha_max = 20, .tolerance = 1e-3};
  EvidenceState state = gaussian_state(data, Vector::Constant(2, 1.0), 1.0, options);
  double evidence = state.log_evidence;
  StageResult result;
  for (int stage = 0; stage < 30 && result.outcome == StageOutcome::moved; ++stage) {
    result = update_precisions(state, options, true);
    EXPECT_GE(state.log_evidence, evidence - 1e-5);
    evidence = state.log_evidence;
  }
  EXPECT_EQ(result.outcome, StageOutcome::converged);
  EXPECT_EQ(state.problem.columns.front(), 0);
  EXPECT_NEAR(state.precisions.alpha[0], 20, 1e-6);
}

TEST(PrecisionUpdate, PruningEverythingLeavesTheStateAlone) {
  auto data = problems::planted_regression(50, 2, 1, 0.1, 7, 0);
  data.t.setZero();
  const EngineOptions options{.bias = false};
  EvidenceState state = gaussian_state(data, Vector::Constant(2, 1.0), 1.0, options);
  const StageResult result = update_precisions(state, options, true);
  EXPECT_EQ(result.outcome, StageOutcome::all_pruned);
  EXPECT_EQ(state.problem.active(), 2);
  EXPECT_EQ(state.precisions.alpha, Vector::Constant(2, 1.0));
}

}  // namespace
}  // namespace ardent
