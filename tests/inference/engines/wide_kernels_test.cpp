// Kernels far too wide: every column is nearly the bias, and what tells them apart is small.
#include <gtest/gtest.h>

#include "inference/evidence_engines.h"
#include "problems/classification.h"

namespace ardent {
namespace {

/// Eight features, two of which say something, under kernels of width `sigma`.
problems::Classification wide_kernels(Index rows, double sigma, std::uint64_t seed) {
  Random random(seed);
  const Matrix x = 0.4 * problems::normal_matrix(rows, 8, random);
  problems::Classification problem{Matrix(rows, rows), Vector(rows), Vector(), 0};
  for (Index i = 0; i < rows; ++i) {
    const double f = 3 * x(i, 0) - 2 * x(i, 1) - 0.6;
    problem.t[i] = f + random.normal() > 0 ? 1 : 0;
  }
  for (Index k = 0; k < rows; ++k) {
    const auto distances = (x.rowwise() - x.row(k)).rowwise().squaredNorm();
    problem.phi.col(k) = (-distances.array() / (sigma * sigma)).exp();
  }
  return problem;
}

TEST(WideKernels, DiagonalDoesNotTakeThemForNothing) {
  for (const std::uint64_t seed : {1, 2}) {
    for (const double sigma : {16.0, 32.0}) {
      const auto problem = wide_kernels(300, sigma, seed);
      const Fit fit = engine_by_name("diagonal")(DenseDesign(problem.phi),
                                                 {Likelihood::bernoulli, problem.t}, {}, {});
      EXPECT_EQ(fit.report.status, Status::converged) << sigma;
      const Vector f = evidence_engines::predict(problem.phi, fit.posterior);
      const double majority = std::max(problem.t.mean(), 1 - problem.t.mean());
      EXPECT_GT(evidence_engines::accuracy(f, problem.t), majority + 0.1) << sigma;
    }
  }
}

}  // namespace
}  // namespace ardent
