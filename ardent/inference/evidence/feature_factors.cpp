#include "ardent/inference/evidence/feature_factors.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "ardent/base/elementary.h"
#include "ardent/linalg/cholesky.h"

namespace ardent {
namespace {

constexpr Index kRowsOfWidths = 300;
constexpr int kClimbSteps = 60;
constexpr double kFirstStep = 0.4, kLongestLogStep = 1.5, kShortestStep = 1e-3;  // of log θ
constexpr double kLonger = 1.2, kShorter = 0.5;
constexpr double kFarthest = 14;  // of log θ from its start

Matrix kernel_among(const Matrix& x) {
  const Vector norms = x.rowwise().squaredNorm();
  Matrix k = 2 * x * x.transpose();
  k.colwise() -= norms;
  k.rowwise() -= norms.transpose();
  k = k.cwiseMin(0.0);  // rounding
  for (Index j = 0; j < k.cols(); ++j) elementary::exp_in_place(k.col(j).data(), k.rows());
  return k;
}

/// Where the climb begins: widths √d times as wide as a feature's own spread, a tenth of the
/// variance noise.
Vector first_theta(const Matrix& x, double variance) {
  const Index d = x.cols();
  Vector theta(d + 2);
  for (Index j = 0; j < d; ++j) {
    const double spread = (x.col(j).array() - x.col(j).mean()).square().mean();
    theta[j] = -elementary::log(2 * static_cast<double>(d) * std::max(spread, 1e-300));
  }
  theta[d] = elementary::log(variance);
  theta[d + 1] = elementary::log(0.1 * variance);
  return theta;
}

/// The parameters of highest evidence that the climb has met.
Vector highest_theta(const Matrix& x, const Vector& t, const Vector& counts, const Vector& start) {
  Vector at = start, best = start;
  Vector step = Vector::Constant(start.size(), kFirstStep), before = Vector::Zero(start.size());
  double highest = -std::numeric_limits<double>::infinity();
  for (int count = 0; count < kClimbSteps; ++count) {
    const ProcessEvidence fit = process_evidence(x, t, counts, at);
    if (fit.value > highest) {
      highest = fit.value;
      best = at;
    }
    for (Index k = 0; k < at.size(); ++k) {
      const double agreement = fit.slope[k] * before[k];
      if (agreement > 0) step[k] = std::min(kLonger * step[k], kLongestLogStep);
      if (agreement < 0) step[k] = std::max(kShorter * step[k], kShortestStep);
      before[k] = agreement < 0 ? 0 : fit.slope[k];
      if (before[k] != 0) at[k] += before[k] > 0 ? step[k] : -step[k];
      at[k] = std::clamp(at[k], start[k] - kFarthest, start[k] + kFarthest);
    }
  }
  return best;
}

}  // namespace

ProcessEvidence process_evidence(const Matrix& x, const Vector& t, const Vector& counts,
                                 const Vector& log_theta) {
  const Index d = x.cols();
  Vector theta = log_theta;
  elementary::exp_in_place(theta);
  const double amplitude = theta[d], noise = theta[d + 1];
  const Matrix scaled = x * theta.head(d).cwiseSqrt().asDiagonal();
  const Matrix part = amplitude * kernel_among(scaled);
  Matrix covariance = part;
  covariance.diagonal().array() += noise / counts.array();
  const Cholesky factor(covariance);
  Matrix p = factor.inverse();
  p.triangularView<Eigen::StrictlyUpper>() = p.transpose();
  const Vector ones = p.rowwise().sum();  // C⁻¹1
  const double total = ones.sum();
  p.noalias() -= ones * ones.transpose() / total;
  const Vector a = p * t;
  ProcessEvidence fit;
  // A row that counts c times is c rows of one target, not one of less noise.
  const double copies = counts.sum() - static_cast<double>(counts.size());
  fit.value =
      -(factor.log_determinant() + elementary::log(total) + t.dot(a) + copies * log_theta[d + 1]) /
      2;
  const Matrix w = a * a.transpose() - p;
  const Matrix g = w.cwiseProduct(part);
  // Σ_ik g_ik (x_ij − x_kj)² = 2 Σ_i (g1)_i x_ij² − 2 x_jᵀ g x_j
  const Vector row_sums = g.rowwise().sum();
  const Matrix products = g * scaled;
  fit.slope.resize(d + 2);
  for (Index j = 0; j < d; ++j) {
    fit.slope[j] =
        scaled.col(j).dot(products.col(j)) - row_sums.dot(Vector(scaled.col(j).cwiseAbs2()));
  }
  fit.slope[d] = row_sums.sum() / 2;
  fit.slope[d + 1] = ((w.diagonal().array() * noise / counts.array()).sum() - copies) / 2;
  return fit;
}

Vector learn_feature_factors(const Matrix& x, const Vector& t, const Vector& counts) {
  const Index rows = x.rows(), kept = std::min(rows, kRowsOfWidths), d = x.cols();
  std::vector<Index> which;
  for (Index i = 0; i < kept; ++i) which.push_back(i * rows / kept);
  const Vector own = t(which);
  const double variance = (own.array() - own.mean()).square().mean();
  if (d == 0 || !(variance > 0)) return Vector::Ones(d);
  const Matrix own_x = x(which, Eigen::all);
  const Vector theta = highest_theta(own_x, own, counts(which), first_theta(own_x, variance));
  Vector factors = (theta.head(d).array() - theta.head(d).maxCoeff()) / 2;
  elementary::exp_in_place(factors);
  return factors;
}

}  // namespace ardent
