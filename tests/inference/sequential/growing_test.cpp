// The growing engine on problems whose answer is known, against dense formulas and other engines.
#include "ardent/inference/sequential/growing.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "ardent/design/dense.h"
#include "ardent/inference/evidence/standard_units.h"
#include "ardent/inference/sequential/make_scan.h"
#include "ardent/inference/sequential/shortlist.h"
#include "inference/fit_dense.h"
#include "problems/regression.h"

namespace ardent {
namespace {

Fit grow(const Matrix& phi, const Vector& t, Likelihood likelihood,
         const EngineOptions& options = {}) {
  return fit_growing(DenseDesign(phi), {likelihood, t}, options);
}

TEST(Growing, FindsThePlantedWeights) {
  const auto classes = problems::planted_classification(2000, 40, 4, 2.0, 1);
  const auto numbers = problems::planted_regression(500, 30, 5, 0.5, 2);
  const auto check = [](const Fit& fit, const Vector& w, Index relevant) {
    EXPECT_EQ(fit.report.status, Status::converged);
    ASSERT_GE(std::ssize(fit.posterior.active), relevant);
    EXPECT_LE(std::ssize(fit.posterior.active), relevant + 12) << "of noise about one in three";
    for (Index k = 0; k < relevant; ++k) {
      EXPECT_EQ(fit.posterior.active[k], k);
      EXPECT_NEAR(fit.posterior.mean[k], w[k], 4 * std::sqrt(fit.posterior.variance[k]));
    }
  };
  check(grow(classes.phi, classes.t, Likelihood::bernoulli), classes.w, 4);
  const Fit fit = grow(numbers.phi, numbers.t, Likelihood::gaussian);
  check(fit, numbers.w, 5);
  EXPECT_NEAR(fit.posterior.noise_variance, 0.25, 0.05);
  EXPECT_NEAR(fit.posterior.bias, 2, 0.1);
}

/// log N(t | 0, σ²I + Phi A⁻¹Phiᵀ + τ⁻¹11ᵀ) about the mean, by its dense covariance. τ is in units
/// of the target's deviation.
double dense_evidence(const Matrix& phi, const Vector& t, const Posterior& posterior) {
  const auto n = t.size();
  const Vector centred = t.array() - t.mean();
  const double variance = centred.squaredNorm() / static_cast<double>(n);
  Matrix c = posterior.noise_variance * Matrix::Identity(n, n);
  c.array() += variance / EngineOptions{}.bias_precision;
  for (std::size_t k = 0; k < posterior.active.size(); ++k) {
    const auto column = phi.col(posterior.active[k]);
    c += column * column.transpose() / posterior.alpha[k];
  }
  const Eigen::LLT<Matrix> factor(c);
  const Matrix l = factor.matrixL();
  const double log_determinant = 2 * l.diagonal().array().log().sum();
  return -0.5 * (static_cast<double>(n) * std::log(2 * std::numbers::pi) + log_determinant +
                 centred.dot(factor.solve(centred)));
}

TEST(Growing, EvidenceAndMeanAreThoseOfTheDenseModel) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto problem = problems::sinc_regression(60, 0.1, 20 + seed);
    const Posterior posterior = grow(problem.phi, problem.t, Likelihood::gaussian).posterior;
    EXPECT_NEAR(posterior.log_evidence, dense_evidence(problem.phi, problem.t, posterior), 1e-4);
    Matrix columns(60, std::ssize(posterior.active) + 1);
    columns.leftCols(columns.cols() - 1) = problem.phi(Eigen::all, posterior.active);
    columns.rightCols(1).setOnes();
    Matrix hessian = columns.transpose() * columns / posterior.noise_variance;
    hessian.diagonal().head(posterior.alpha.size()) += posterior.alpha;
    const Vector w =
        hessian.ldlt().solve(columns.transpose() * problem.t) / posterior.noise_variance;
    EXPECT_LT((w.head(posterior.mean.size()) - posterior.mean).norm(), 1e-5 * w.norm());
    EXPECT_NEAR(w[w.size() - 1], posterior.bias, 1e-5 * w.norm());
    EXPECT_LT((hessian.inverse() - posterior.covariance).norm(),
              1e-5 * posterior.covariance.norm());
  }
}

/// What the search looks at where it ended, found again by one scan of everything.
struct End {
  ActiveProblem candidates;
  SequentialModel model;
  BasisStatistics statistics;

  End(const Matrix& phi, const Target& target, const Posterior& posterior) {
    std::vector<std::string> warnings;
    auto standard = standardise(DenseDesign(phi), target, {}, warnings);
    candidates = standard.problem;
    const StandardUnits& units = standard.units;
    Precisions precisions{posterior.alpha, 1};
    for (std::size_t k = 0; k < posterior.active.size(); ++k) {
      precisions.alpha[k] *=
          std::pow(units.target_scale / units.column_rms[posterior.active[k]], 2);
    }
    if (target.likelihood == Likelihood::gaussian) {
      precisions.noise_variance = posterior.noise_variance / std::pow(units.target_scale, 2);
    }
    model.active = posterior.active;
    model.state = evaluate(restricted(candidates, model.active), precisions, {});
    find_relevance(model.state);
    statistics = make_basis_scan(candidates)->scan(model.state, model.active);
  }
};

TEST(Growing, StopsWhereNoPrecisionWantsToMoveAndNoBasisPromisesAnything) {
  const auto check = [](const Matrix& phi, const Target& target) {
    const Fit fit = fit_growing(DenseDesign(phi), target, {.tolerance = 1e-4});
    EXPECT_EQ(fit.report.status, Status::converged);
    const End end(phi, target, fit.posterior);
    EXPECT_NEAR(end.model.state.log_evidence, fit.posterior.log_evidence, 1e-4);
    EXPECT_LT(evidence_slope(end.model.state).cwiseAbs().maxCoeff(), 5e-3);
    EXPECT_FALSE(Shortlist(end.candidates).best(end.model, 0.0101, {}).has_value());
  };
  const auto sinc = problems::sinc_regression(100, 0.1, 31);
  check(sinc.phi, {Likelihood::gaussian, sinc.t});
  const auto planted = problems::planted_regression(150, 60, 5, 0.7, 32);
  check(planted.phi, {Likelihood::gaussian, planted.t});
  for (std::uint64_t seed = 40; seed < 43; ++seed) {
    const auto kernel = problems::kernel_classification(200, 1.0, seed);
    check(kernel.phi, {Likelihood::bernoulli, kernel.t});
  }
}

/// While there is something to gain, the basis that the shortlist names is as good as the one that
/// a scan of everything would name; and it ends only where that finds nothing.
TEST(Shortlist, NamesTheBestOfAllBasesWhileThereIsSomethingToGain) {
  const auto kernel = problems::kernel_classification(300, 1.0, 50);
  std::vector<std::string> warnings;
  const ActiveProblem candidates =
      standardise(DenseDesign(kernel.phi), {Likelihood::bernoulli, kernel.t}, {}, warnings).problem;
  SequentialModel model{{}, evaluate(restricted(candidates, {}), {Vector(), 1}, {})};
  find_relevance(model.state);
  Shortlist shortlist(candidates);
  Index additions = 0;
  for (; additions < 12; ++additions) {
    const auto named = shortlist.best(model, 1e-2, {});
    const auto best = Shortlist(candidates).best(model, 1e-2, {});
    ASSERT_EQ(named.has_value(), best.has_value());
    if (!named) break;
    EXPECT_NEAR(named->gain, best->gain, 1e-2 * best->gain + 0.1);
    model = applied(candidates, model, *named, 1, {});
  }
  EXPECT_GE(additions, 4);
  EXPECT_LT(shortlist.scans(), additions + 1);
}

TEST(Growing, KeepsFewerKernelsThanTheSearchForTheHighestEvidenceAtNearlyItsEvidence) {
  double kept = 0, kept_by_exact = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto kernel = problems::kernel_classification(200, 1.0, 80 + seed);
    const Fit grown = grow(kernel.phi, kernel.t, Likelihood::bernoulli);
    const Fit exact = exact_classify(kernel.phi, kernel.t);
    EXPECT_GT(grown.posterior.log_evidence, exact.posterior.log_evidence - 5);
    kept += static_cast<double>(grown.posterior.active.size());
    kept_by_exact += static_cast<double>(exact.posterior.active.size());
    const auto sinc = problems::sinc_regression(100, 0.1, 70 + seed);
    EXPECT_GT(grow(sinc.phi, sinc.t, Likelihood::gaussian).posterior.log_evidence,
              exact_regress(sinc.phi, sinc.t).posterior.log_evidence - 5);
  }
  EXPECT_LE(kept, kept_by_exact);
}

TEST(Growing, ThePathHoldsTheWeightsOfEveryStepInTheCallersUnits) {
  const auto problem = problems::planted_regression(100, 20, 4, 0.5, 17);
  const Fit fit =
      grow(1000 * problem.phi, 7 * problem.t, Likelihood::gaussian, {.keep_stages = true});
  ASSERT_EQ(fit.report.path.size(), fit.report.stages.size());
  EXPECT_EQ(fit.report.path.front().active.size(), 1u);
  EXPECT_EQ(fit.report.path.back().active, fit.posterior.active);
  EXPECT_LT((fit.report.path.back().mean - fit.posterior.mean).norm(), 1e-12);
  EXPECT_TRUE(grow(problem.phi, problem.t, Likelihood::gaussian).report.path.empty());
}

}  // namespace
}  // namespace ardent
