// The process behind a relevance vector machine: against joint Gaussians solved the long way.
#include "ardent/inference/evidence/kernel_process.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <vector>

#include "ardent/base/random.h"

namespace ardent {
namespace {

Vector uniform_places(Index count, double from, double to, std::uint64_t seed) {
  Random random(seed);
  Vector x(count);
  for (Index i = 0; i < count; ++i) x[i] = from + (to - from) * random.uniform();
  return x;
}

Matrix gaussian_kernel(const Vector& x, const Vector& z) {
  Matrix k(x.size(), z.size());
  for (Index i = 0; i < x.size(); ++i) {
    for (Index j = 0; j < z.size(); ++j) k(i, j) = std::exp(-(x[i] - z[j]) * (x[i] - z[j]));
  }
  return k;
}

/// t of a process of this amplitude on x, noise of standard deviation 0.1, around 3.
Vector drawn(const Vector& x, double amplitude, std::uint64_t seed) {
  Random random(seed);
  Matrix covariance = amplitude * gaussian_kernel(x, x);
  covariance.diagonal().array() += 0.01;
  Vector z(x.size());
  for (double& value : z) value = random.normal();
  return Vector(covariance.llt().matrixL() * z).array() + 3;
}

struct ProcessProblem {
  Vector x = uniform_places(25, -2, 2, 1), t = drawn(x, 2, 2);
  Vector fresh = uniform_places(6, -4, 4, 3);
  Vector counts = uniform_places(25, 0.5, 3, 4);
  ProcessPrior prior{1.7, 0.02, true};

  Matrix covariance() const {
    Matrix c = prior.amplitude * gaussian_kernel(x, x);
    c.diagonal() += Vector(prior.noise_variance / counts.array());
    return c;
  }
};

TEST(KernelProcess, ConditionsTheJointGaussianOfRowsAndNewRows) {
  const ProcessProblem p;
  // A flat bias is one of very large variance; that of the joint Gaussian costs eight digits.
  constexpr double kBiasVariance = 1e6;
  const Matrix with_bias = p.covariance() + Matrix::Constant(p.t.size(), p.t.size(), kBiasVariance);
  const Matrix kernels = gaussian_kernel(p.x, p.fresh);
  const Matrix cross = (p.prior.amplitude * kernels).array() + kBiasVariance;
  const auto lu = with_bias.fullPivLu();
  const Vector mean = cross.transpose() * lu.solve(p.t);
  const KernelProcess process(gaussian_kernel(p.x, p.x), p.counts, p.prior);
  const Vector found = process.variance(kernels);
  const Vector found_mean = process_mean(process.mean_given(p.t), p.prior.amplitude, kernels);
  for (Index i = 0; i < p.fresh.size(); ++i) {
    const double wanted =
        p.prior.amplitude + kBiasVariance - cross.col(i).dot(lu.solve(Vector(cross.col(i))));
    EXPECT_NEAR(found[i], wanted, 1e-4 * wanted) << p.fresh[i];
    EXPECT_NEAR(found_mean[i], mean[i], 1e-4);
  }
}

TEST(KernelProcess, WithoutABiasIsTheTextbookFormula) {
  ProcessProblem p;
  p.prior.bias = false;
  const Matrix kernels = gaussian_kernel(p.x, p.fresh);
  const Matrix inverse = p.covariance().inverse();
  const KernelProcess process(gaussian_kernel(p.x, p.x), p.counts, p.prior);
  const Vector found = process.variance(kernels);
  for (Index i = 0; i < p.fresh.size(); ++i) {
    const Vector k = p.prior.amplitude * kernels.col(i);
    EXPECT_NEAR(found[i], p.prior.amplitude - k.dot(inverse * k), 1e-9);
  }
  const ProcessMean mean = process.mean_given(p.t);
  EXPECT_EQ(mean.bias, 0);
  EXPECT_LT((mean.weights - inverse * p.t).norm(), 1e-8 * mean.weights.norm());
}

TEST(KernelProcess, FarFromAllRowsIsThePrior) {
  const ProcessProblem p;
  const KernelProcess process(gaussian_kernel(p.x, p.x), p.counts, p.prior);
  const Matrix nowhere = Matrix::Zero(p.t.size(), 1);
  const Matrix inverse = p.covariance().inverse();
  const double of_bias = 1 / inverse.sum();
  EXPECT_NEAR(process.variance(nowhere)[0], p.prior.amplitude + of_bias, 1e-9);
  const ProcessMean mean = process.mean_given(p.t);
  EXPECT_NEAR(mean.bias, (inverse * p.t).sum() * of_bias, 1e-9);
  EXPECT_EQ(process_mean(mean, p.prior.amplitude, nowhere)[0], mean.bias);
}

TEST(KernelProcess, EvidenceIsTheDensityOfContrasts) {
  // With a flat bias the evidence is the density of t in the directions orthogonal to 1, and 1ᵀ1.
  const ProcessProblem p;
  const Index n = p.t.size();
  const auto density = [&](double amplitude) {
    ProcessProblem own = p;
    own.prior.amplitude = amplitude;
    Matrix contrasts = Matrix::Zero(n - 1, n);
    for (Index i = 0; i + 1 < n; ++i) {
      contrasts(i, i) = 1;
      contrasts(i, i + 1) = -1;
    }
    const Matrix c = contrasts * own.covariance() * contrasts.transpose();
    const Vector d = contrasts * p.t;
    return -0.5 * (std::log(c.determinant()) + d.dot(c.fullPivLu().solve(d)));
  };
  const auto evidence = [&](double amplitude) {
    return KernelProcess(gaussian_kernel(p.x, p.x), p.counts, {amplitude, 0.02, true})
        .log_evidence(p.t);
  };
  EXPECT_NEAR(evidence(3) - evidence(0.4), density(3) - density(0.4), 1e-6);
  EXPECT_NEAR(evidence(20) - evidence(3), density(20) - density(3), 1e-6);
}

TEST(KernelProcess, TheBestAmplitudeIsNearTheTrueOne) {
  for (const double truth : {0.3, 30.0}) {
    std::vector<double> ratios;
    for (std::uint64_t seed = 0; seed < 9; ++seed) {
      const Vector x = uniform_places(250, -15, 15, 10 + seed), t = drawn(x, truth, 50 + seed);
      ratios.push_back(best_amplitude(gaussian_kernel(x, x), t, Vector::Ones(250), 0.01, true) /
                       truth);
    }
    std::ranges::sort(ratios);
    EXPECT_GT(ratios[4], 0.6) << truth;
    EXPECT_LT(ratios[4], 1.6) << truth;
  }
}

}  // namespace
}  // namespace ardent
