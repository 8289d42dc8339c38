#include "ardent/inference/evidence/kernel_process.h"

#include <algorithm>
#include <vector>

#include "ardent/base/elementary.h"

namespace ardent {
namespace {

constexpr Index kRowsOfAmplitude = 200;
constexpr double kFirstFactor = 4;       // between the amplitudes that are tried at first,
constexpr double kLastFactor = 1.5;      // and at last
constexpr int kMostAmplitudeSteps = 12;  // each way: 4^12 times the variance of the target

Matrix process_covariance(const Matrix& kernel, const Vector& counts, const ProcessPrior& prior) {
  Matrix covariance = prior.amplitude * kernel;
  covariance.diagonal().array() += prior.noise_variance / counts.array();
  return covariance;
}

/// Climbs from `start` by a factor, which is halved (its logarithm) when neither side is higher.
template <class Score>
double best_by_factors(double start, const Score& score) {
  double at = start, highest = score(start);
  double step = elementary::log(kFirstFactor);
  const double least = elementary::log(kLastFactor);
  for (int steps = 0; step > least && steps < 2 * kMostAmplitudeSteps; ++steps) {
    bool rose = false;
    for (const double sign : {1.0, -1.0}) {
      const double trial = at * elementary::exp(sign * step);
      const double value = score(trial);
      if (!(value > highest)) continue;
      at = trial;
      highest = value;
      rose = true;
      break;
    }
    if (!rose) step /= 2;
  }
  return at;
}

}  // namespace

KernelProcess::KernelProcess(const Matrix& kernel, const Vector& counts, const ProcessPrior& prior)
    : prior_(prior), factor_(process_covariance(kernel, counts, prior)) {
  if (prior.bias) half_ones_ = factor_.half_solve(Vector::Ones(kernel.rows()));
}

ProcessMean KernelProcess::mean_given(const Vector& t) const {
  ProcessMean mean;
  if (prior_.bias) {
    mean.bias = half_ones_.dot(factor_.half_solve(t).col(0)) / half_ones_.squaredNorm();
  }
  mean.weights = factor_.solve(Vector(t.array() - mean.bias));
  return mean;
}

double KernelProcess::log_evidence(const Vector& t) const {
  const ProcessMean mean = mean_given(t);
  const double squares = mean.weights.dot(Vector(t.array() - mean.bias));
  const double of_bias = prior_.bias ? elementary::log(half_ones_.squaredNorm()) : 0;
  return -(factor_.log_determinant() + squares + of_bias) / 2;
}

Vector KernelProcess::variance(const Matrix& kernels) const {
  const Matrix half = prior_.amplitude * factor_.half_solve(kernels);
  Vector result = prior_.amplitude - half.colwise().squaredNorm().transpose().array();
  if (prior_.bias) {
    const Vector left = 1 - (half.transpose() * half_ones_).array();
    result += left.cwiseAbs2() / half_ones_.squaredNorm();
  }
  return result.cwiseMax(0.0);  // rounding
}

Vector process_mean(const ProcessMean& mean, double amplitude, const Matrix& kernels) {
  return mean.bias + amplitude * (kernels.transpose() * mean.weights).array();
}

double best_amplitude(const Matrix& kernel, const Vector& t, const Vector& counts,
                      double noise_variance, bool bias) {
  const Index rows = t.size(), kept = std::min(rows, kRowsOfAmplitude);
  std::vector<Index> which;
  for (Index i = 0; i < kept; ++i) which.push_back(i * rows / kept);
  const Matrix own = kernel(which, which);
  const Vector own_t = t(which), own_counts = counts(which);
  const double centre = bias ? own_t.mean() : 0;
  const double start = (own_t.array() - centre).square().mean();
  return best_by_factors(std::max(start, noise_variance), [&](double amplitude) {
    return KernelProcess(own, own_counts, {amplitude, noise_variance, bias}).log_evidence(own_t);
  });
}

}  // namespace ardent
