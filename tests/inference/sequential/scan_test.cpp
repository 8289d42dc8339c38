// s, q and the gains of the sequential engine against dense formulas and evaluated evidences.
#include "ardent/inference/sequential/scan.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "ardent/design/dense.h"
#include "ardent/inference/evidence/standard_units.h"
#include "ardent/inference/sequential/actions.h"
#include "ardent/inference/sequential/make_scan.h"
#include "problems/regression.h"

namespace ardent {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ActiveProblem offered_problem(const Design& design, const Target& target) {
  std::vector<std::string> warnings;
  return standardise(design, target, {}, warnings).problem;
}

SequentialModel model_of(const ActiveProblem& candidates, std::vector<Index> active,
                         const Vector& alpha, double noise, const EngineOptions& options = {}) {
  SequentialModel model{active, evaluate(restricted(candidates, active), {alpha, noise}, options)};
  find_relevance(model.state);
  return model;
}

Matrix dense(const Design& phi) {
  std::vector<Index> all;
  for (Index k = 0; k < phi.cols(); ++k) all.push_back(k);
  return phi.columns(all);
}

/// s and q by definition: C without basis k, inverted as a dense matrix.
BasisStatistics brute_force(const ActiveProblem& candidates, const SequentialModel& model,
                            const Vector& beta, double bias_precision) {
  const Matrix phi = dense(*candidates.phi);
  const Vector& f = model.state.mode.predictor.fitted;
  // The working response: what a Gaussian target would have to be for the same mode.
  const Vector response = f + model.state.mode.residual.cwiseQuotient(beta);
  BasisStatistics result{Vector(phi.cols()), Vector(phi.cols())};
  for (Index k = 0; k < phi.cols(); ++k) {
    Matrix c = beta.cwiseInverse().asDiagonal();
    c.array() += 1 / bias_precision;
    for (std::size_t j = 0; j < model.active.size(); ++j) {
      const Index other = model.active[j];
      if (other == k) continue;
      c += phi.col(other) * phi.col(other).transpose() / model.state.precisions.alpha[j];
    }
    const Vector solved = c.partialPivLu().solve(phi.col(k));
    result.s[k] = phi.col(k).dot(solved);
    result.q[k] = response.dot(solved);
  }
  return result;
}

void expect_near(const BasisStatistics& found, const BasisStatistics& wanted, double tolerance) {
  ASSERT_EQ(found.s.size(), wanted.s.size());
  for (Index k = 0; k < found.s.size(); ++k) {
    EXPECT_NEAR(found.s[k] / wanted.s[k], 1, tolerance) << "basis " << k;
    EXPECT_NEAR(found.q[k], wanted.q[k], tolerance * std::sqrt(wanted.s[k])) << "basis " << k;
  }
}

TEST(SequentialScan, GaussianStatisticsAreTheirDefinition) {
  const auto problem = problems::planted_regression(40, 9, 3, 0.5, 1);
  Vector row_weights = Vector::LinSpaced(40, 0.5, 2);
  const EngineOptions options{.bias_precision = 1e-2};
  const ActiveProblem candidates =
      offered_problem(DenseDesign(problem.phi), {Likelihood::gaussian, problem.t, row_weights});
  const SequentialModel model =
      model_of(candidates, {1, 4, 7}, Vector::LinSpaced(3, 0.5, 30), 0.2, options);
  expect_near(make_basis_scan(candidates)->scan(model.state, model.active),
              brute_force(candidates, model, row_weights / 0.2, 1e-2), 1e-9);
}

TEST(SequentialScan, BernoulliStatisticsAreTheirDefinitionForDenseAndSparseDesigns) {
  const auto problem = problems::planted_classification(50, 8, 3, 1.5, 2);
  const Vector row_weights = Vector::LinSpaced(50, 0.5, 2);
  const EngineOptions options{.bias_precision = 1e-2, .newton_tolerance = 1e-14};
  Matrix mostly_zeros = problem.phi;  // so that no dense copy is kept
  for (Index k = 0; k < 8; ++k) {
    for (Index i = 0; i < 50; ++i) mostly_zeros(i, k) *= (i + 7 * k) % 16 == 0 ? 1 : 0;
  }
  for (const Matrix& phi : {problem.phi, mostly_zeros}) {
    const ActiveProblem candidates =
        offered_problem(DenseDesign(phi), {Likelihood::bernoulli, problem.t, row_weights});
    const SequentialModel model =
        model_of(candidates, {0, 5}, (Vector(2) << 0.3, 4).finished(), 1, options);
    const auto y = (1 / (1 + (-model.state.mode.predictor.fitted.array()).exp())).eval();
    const Vector beta = row_weights.array() * y * (1 - y);
    expect_near(make_basis_scan(candidates)->scan(model.state, model.active),
                brute_force(candidates, model, beta, 1e-2), 1e-7);
  }
}

TEST(SequentialScan, UpdatedStatisticsAreThoseComputedAnew) {
  const auto problem = problems::planted_regression(60, 30, 6, 0.5, 3);
  const ActiveProblem candidates =
      offered_problem(DenseDesign(problem.phi), {Likelihood::gaussian, problem.t});
  SequentialModel model = model_of(candidates, {}, Vector(), 0.3);
  const auto kept = make_basis_scan(candidates);
  kept->scan(model.state, model.active);
  const std::vector<Action> script{{ActionKind::add, 4, 2.0},
                                   {ActionKind::add, 1, 0.5},
                                   {ActionKind::re_estimate, 4, 9.0},
                                   {ActionKind::add, 17, 50.0},
                                   {ActionKind::remove, 4, kInfinity},
                                   {ActionKind::add, 4, 1.0},
                                   {ActionKind::noise},
                                   {ActionKind::re_estimate, 1, 1e-2}};
  for (const Action& action : script) {
    model = applied(candidates, model, action, 1, {});
    const BasisStatistics updated = kept->scan(model.state, model.active);
    expect_near(updated, make_basis_scan(candidates)->scan(model.state, model.active), 1e-9);
  }
}

/// For the Gaussian likelihood a promised gain is the difference of two evaluated evidences.
TEST(SequentialScan, PromisedGainsAreDifferencesOfTheEvidence) {
  const auto problem = problems::sinc_regression(40, 0.1, 4);
  const ActiveProblem candidates =
      offered_problem(DenseDesign(problem.phi), {Likelihood::gaussian, problem.t});
  const SequentialModel model =
      model_of(candidates, {3, 17, 20, 31}, (Vector(4) << 0.1, 0.5, 20, 1e4).finished(), 0.05);
  const BasisStatistics all = make_basis_scan(candidates)->scan(model.state, model.active);
  Index position = 0;
  for (Index k = 0; k < 40; ++k) {
    const bool active = position < 4 && model.active[position] == k;
    const double from = active ? model.state.precisions.alpha[position++] : kInfinity;
    for (const double to : {1e-3, 0.7, 40.0, 1e5, kInfinity}) {
      if (!active && std::isinf(to)) continue;
      const ActionKind kind = !active          ? ActionKind::add
                              : std::isinf(to) ? ActionKind::remove
                                               : ActionKind::re_estimate;
      const SequentialModel next = applied(candidates, model, {kind, k, to}, 1, {});
      EXPECT_NEAR(next.state.log_evidence - model.state.log_evidence,
                  precision_gain(all.s[k], all.q[k], from, to), 1e-6)
          << "basis " << k << " to " << to;
    }
  }
}

TEST(SequentialScan, BestPrecisionIsTheMaximiser) {
  for (const double s : {1e-3, 1.0, 50.0, 1e6}) {
    for (const double signal : {0.1, 0.99, 1.01, 1.5, 30.0, 1e5}) {
      const double q = -std::sqrt(signal * s);
      const double best = best_precision(s, q, 1e12);
      EXPECT_EQ(std::isinf(best), signal < 1) << s << " " << signal;
      const double gain = precision_gain(s, q, kInfinity, best);
      EXPECT_NEAR(gain, signal < 1 ? 0 : (signal - 1 - std::log(signal)) / 2, 1e-9 * signal);
      for (double alpha = 1e-8; alpha < 1e9; alpha *= 1.7) {
        EXPECT_LE(precision_gain(s, q, best, alpha), 1e-12 * (1 + signal));
      }
    }
  }
  EXPECT_EQ(best_precision(1e6, std::sqrt(1.5e6), 1e6), 1e6) << "worth keeping: held at the limit";
  EXPECT_EQ(best_precision(100, 10.000001, 1e6), kInfinity) << "not worth keeping";
  for (const double q : {1e-100, 1.0, 1e200}) {
    const double least = best_precision(1e-200, q, 1e6);
    EXPECT_TRUE(least > 0 && std::isfinite(1 / least)) << q;
  }
}

TEST(SequentialScan, ADuplicateOfAnActiveColumnHasNothingToAdd) {
  auto problem = problems::planted_regression(50, 4, 2, 1e-6, 5);
  problem.phi.col(3) = 3 * problem.phi.col(0);
  const ActiveProblem candidates =
      offered_problem(DenseDesign(problem.phi), {Likelihood::gaussian, problem.t});
  // At the noise floor S of the duplicate is rounding, as alpha/(N/σ²) = 2e-11.
  const SequentialModel model = model_of(candidates, {0}, Vector::Constant(1, 1e-2), 1e-8);
  const BasisStatistics all = make_basis_scan(candidates)->scan(model.state, model.active);
  EXPECT_EQ(all.q[3], 0);
  EXPECT_GT(all.s[3], 0);
  EXPECT_NE(all.q[1], 0);
}

}  // namespace
}  // namespace ardent
