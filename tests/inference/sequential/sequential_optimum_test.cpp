// Where the sequential engine stops, no single action is left that raises the evidence: every
// neighbouring model is evaluated.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ardent/design/dense.h"
#include "ardent/inference/evidence/standard_units.h"
#include "ardent/inference/sequential/sequential.h"
#include "problems/regression.h"

namespace ardent {
namespace {

/// The evidence with other precisions of one basis, everything else as in the fit.
struct Neighbourhood {
  ActiveProblem candidates;
  StandardUnits units;
  std::vector<Index> active;
  Precisions precisions;
  double log_evidence = 0;

  Neighbourhood(const Matrix& phi, const Target& target, const Posterior& posterior) {
    std::vector<std::string> warnings;
    auto standard = standardise(DenseDesign(phi), target, {}, warnings);
    candidates = std::move(standard.problem);
    units = std::move(standard.units);
    active = posterior.active;
    const double scale = units.target_scale;
    precisions.alpha = posterior.alpha;
    for (std::size_t k = 0; k < active.size(); ++k) {
      precisions.alpha[k] *= std::pow(scale / units.column_rms[active[k]], 2);
    }
    precisions.noise_variance = posterior.noise_variance / (scale * scale);
    if (target.likelihood == Likelihood::bernoulli) precisions.noise_variance = 1;
    log_evidence = evaluate(restricted(candidates, active), precisions, {}).log_evidence;
  }

  double with(Index basis, double alpha) const {
    std::vector<Index> columns;
    Precisions changed{Vector(precisions.alpha.size() + 1), precisions.noise_variance};
    const auto put = [&](Index column, double value) {
      if (std::isinf(value)) return;
      changed.alpha[std::ssize(columns)] = value;
      columns.push_back(column);
    };
    for (Index k = 0; k < candidates.active(); ++k) {
      const auto found = std::find(active.begin(), active.end(), k);
      if (k == basis) {
        put(k, alpha);
      } else if (found != active.end()) {
        put(k, precisions.alpha[found - active.begin()]);
      }
    }
    changed.alpha.conservativeResize(std::ssize(columns));
    return evaluate(restricted(candidates, columns), changed, {}).log_evidence;
  }

  double best_rise() const {
    double best = -1e300;
    for (Index k = 0; k < candidates.active(); ++k) {
      for (double alpha = 1e-3; alpha < 1e6; alpha *= 3) {
        best = std::max(best, with(k, alpha) - log_evidence);
      }
      best = std::max(best, with(k, std::numeric_limits<double>::infinity()) - log_evidence);
    }
    return best;
  }
};

TEST(SequentialOptimum, NoSingleChangeOfABasisRaisesTheEvidenceAnyMore) {
  const auto planted = problems::planted_regression(80, 40, 5, 0.7, 90);
  const auto sinc = problems::sinc_regression(60, 0.1, 91);
  for (const auto& problem : {planted, sinc}) {
    const Target target{Likelihood::gaussian, problem.t};
    const Fit fit = fit_sequential(DenseDesign(problem.phi), target);
    ASSERT_EQ(fit.report.status, Status::converged);
    const Neighbourhood around(problem.phi, target, fit.posterior);
    EXPECT_NEAR(around.log_evidence, fit.posterior.log_evidence, 1e-6);
    EXPECT_LT(around.best_rise(), 1e-6 * std::abs(fit.posterior.log_evidence) + 1e-6);
  }
}

/// Gains are promised at the old curvatures. Where the classes overlap that is as good as exact;
/// where they hardly do, a large weight far from the linearisation can still be worth something.
TEST(SequentialOptimum, NoSingleChangeOfABasisRaisesLaplacesEvidenceMuch) {
  const auto rise = [](const problems::Classification& problem) {
    const Target target{Likelihood::bernoulli, problem.t};
    const Fit fit = fit_sequential(DenseDesign(problem.phi), target);
    EXPECT_EQ(fit.report.status, Status::converged);
    const Neighbourhood around(problem.phi, target, fit.posterior);
    EXPECT_NEAR(around.log_evidence, fit.posterior.log_evidence, 1e-4);
    return around.best_rise();
  };
  EXPECT_LT(rise(problems::planted_classification(150, 30, 4, 1.5, 92)), 0.05);
  EXPECT_LT(rise(problems::kernel_classification(80, 1.0, 93)), 1);
}

}  // namespace
}  // namespace ardent
