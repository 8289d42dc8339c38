// The evidence of a process with one width per feature: slopes by differences, values by the
// process itself.
#include "ardent/inference/evidence/feature_factors.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ardent/inference/evidence/kernel_process.h"
#include "problems/random_matrix.h"

namespace ardent {
namespace {

using problems::random_matrix;

TEST(FeatureFactors, SlopesAreThoseOfDifferences) {
  const Matrix x = random_matrix(30, 3, 1);
  const Vector t = x.col(0).array().sin() + 0.1 * random_matrix(30, 1, 2).col(0).array() + 5;
  const Vector counts = 1 + random_matrix(30, 1, 3).col(0).array().abs();
  const Vector at{{-0.5, 0.3, -2, 0.4, -1.5}};
  const ProcessEvidence here = process_evidence(x, t, counts, at);
  for (Index k = 0; k < at.size(); ++k) {
    const double step = 1e-5;
    Vector above = at, below = at;
    above[k] += step;
    below[k] -= step;
    const double slope = (process_evidence(x, t, counts, above).value -
                          process_evidence(x, t, counts, below).value) /
                         (2 * step);
    EXPECT_NEAR(here.slope[k], slope, 1e-5 * (1 + std::abs(slope))) << k;
  }
}

TEST(FeatureFactors, TheEvidenceIsThatOfTheProcess) {
  const Matrix x = random_matrix(20, 2, 4);
  const Vector t = random_matrix(20, 1, 5).col(0), counts = Vector::Ones(20);
  const Vector eta{{0.7, 0.2}};
  Matrix kernel(20, 20);
  for (Index i = 0; i < 20; ++i) {
    for (Index j = 0; j < 20; ++j) {
      kernel(i, j) = std::exp(-((x.row(i) - x.row(j)).cwiseAbs2() * eta)(0));
    }
  }
  const auto value = [&](double amplitude, double noise) {
    const Vector theta{{std::log(0.7), std::log(0.2), std::log(amplitude), std::log(noise)}};
    return process_evidence(x, t, counts, theta).value -
           KernelProcess(kernel, counts, {amplitude, noise, true}).log_evidence(t);
  };
  EXPECT_NEAR(value(1, 0.1), 0, 1e-9);
  EXPECT_NEAR(value(3, 0.5), 0, 1e-9);
}

TEST(FeatureFactors, ARowOfWeightTwoIsTwoRows) {
  const Matrix x = random_matrix(15, 2, 6);
  const Vector t = x.col(0).array().sin();
  std::vector<Index> twice;
  Vector counts = Vector::Ones(15);
  for (Index i = 0; i < 15; ++i) {
    counts[i] = i % 2 == 0 ? 2 : 1;
    for (Index copy = 0; copy < (i % 2 == 0 ? 2 : 1); ++copy) twice.push_back(i);
  }
  const Vector at{{0, 0.5, 0.2, -2}}, other{{0.3, -1, 0.5, -1}};
  const auto weighted = [&](const Vector& theta) { return process_evidence(x, t, counts, theta); };
  const auto copied = [&](const Vector& theta) {
    return process_evidence(x(twice, Eigen::all), t(twice), Vector::Ones(std::ssize(twice)), theta);
  };
  EXPECT_NEAR(weighted(at).value - weighted(other).value, copied(at).value - copied(other).value,
              1e-8);
  EXPECT_LT((weighted(at).slope - copied(at).slope).norm(), 1e-8);
}

}  // namespace
}  // namespace ardent
