// Kernels far too wide: every column is nearly the bias, and so are their differences.
#include <gtest/gtest.h>

#include "inference/evidence_engines.h"
#include "problems/classification.h"

namespace ardent {
namespace {

TEST(WideKernels, IterativeEnginesDoNotTakeThemForNothing) {
  for (const double sigma : {8.0, 16.0, 24.0}) {
    const auto problem = problems::kernel_classification(200, sigma, 3);
    const DenseDesign design(problem.phi);
    for (const char* engine : {"diagonal", "probes"}) {
      const Fit fit = engine_by_name(engine)(design, {Likelihood::bernoulli, problem.t}, {}, {});
      EXPECT_EQ(fit.report.status, Status::converged) << engine << " " << sigma;
      const Vector f = evidence_engines::predict(problem.phi, fit.posterior);
      EXPECT_GT(evidence_engines::accuracy(f, problem.t), 0.8) << engine << " " << sigma;
    }
  }
}

}  // namespace
}  // namespace ardent
