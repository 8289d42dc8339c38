#include "ardent/inference/evidence/dual_space.h"

#include <cmath>
#include <numeric>
#include <vector>

#include "ardent/base/elementary.h"
#include "ardent/base/parallel.h"

namespace ardent {
namespace {

constexpr Index kDualColumnBlock = 64;  // columns of Phi that are dense at one time, per thread

}  // namespace

DualSpace::DualSpace(const Design& phi, const Prior& prior) : phi_(phi), prior_(prior) {
  phi_.weighted_outer(prior_.alpha.cwiseInverse(), kernel_);
}

Predictor DualSpace::predictor(Vector dual, double bias) const {
  Predictor predictor{std::move(dual), bias, {}};
  predictor.fitted = kernel_ * predictor.coordinates;
  predictor.fitted.array() += bias;
  return predictor;
}

Predictor DualSpace::constant(double bias) const {
  return {Vector::Zero(phi_.rows()), bias, Vector::Constant(phi_.rows(), bias)};
}

void DualSpace::factor(const Vector& beta) {
  root_beta_ = beta.cwiseSqrt();
  Matrix w = root_beta_.asDiagonal() * kernel_ * root_beta_.asDiagonal();
  w.diagonal().array() += 1;
  factor_.emplace(w);
  if (!prior_.bias) return;
  solved_ones_ = factor_->solve(root_beta_);
  bias_schur_ = prior_.bias_precision + root_beta_.dot(solved_ones_);
}

Predictor DualSpace::newton_step(const Vector& residual, const Predictor& at) const {
  const Vector r = residual - at.coordinates;
  const Vector q = root_beta_.cwiseProduct(kernel_ * r);
  Vector scaled = factor_->solve(q);
  double bias_step = 0;
  if (prior_.bias) {
    const double slope = residual.sum() - prior_.bias_precision * at.bias;
    bias_step = (slope - solved_ones_.dot(q)) / bias_schur_;
    scaled += bias_step * solved_ones_;
  }
  return predictor(r - root_beta_.cwiseProduct(scaled), bias_step);
}

double DualSpace::inner(const Predictor& one, const Predictor& other) const {
  const double weights = one.coordinates.dot(other.fitted) - other.bias * one.coordinates.sum();
  return weights + (prior_.bias ? prior_.bias_precision * one.bias * other.bias : 0.0);
}

Vector DualSpace::weights(const Predictor& predictor) const {
  Vector weights;
  phi_.multiply_transposed(predictor.coordinates, weights);
  return weights.cwiseQuotient(prior_.alpha);
}

Matrix DualSpace::half_solved_columns(Index begin, Index end) const {
  std::vector<Index> which(end - begin);
  std::iota(which.begin(), which.end(), begin);
  return factor_->half_solve(root_beta_.asDiagonal() * phi_.columns(which));
}

Relevance DualSpace::relevance() const {
  const Index m = phi_.cols();
  Relevance relevance;
  relevance.gamma.resize(m);
  parallel_blocks(m, kDualColumnBlock, [&](Index begin, Index end) {
    relevance.gamma.segment(begin, end - begin) =
        half_solved_columns(begin, end).colwise().squaredNorm().transpose();
  });
  if (prior_.bias) {
    Vector z;
    phi_.multiply_transposed(root_beta_.cwiseProduct(solved_ones_), z);
    relevance.gamma.array() -= z.array().square() / bias_schur_;
    relevance.bias_gamma = 1 - prior_.bias_precision / bias_schur_;
  }
  relevance.gamma = (relevance.gamma.array() / prior_.alpha.array()).max(0.0).min(1.0);
  return relevance;
}

double DualSpace::log_determinant_ratio() const {
  const double bias = prior_.bias ? elementary::log(bias_schur_ / prior_.bias_precision) : 0.0;
  return factor_->log_determinant() + bias;
}

Matrix DualSpace::covariance() const {
  const Index m = phi_.cols();
  const Matrix half = half_solved_columns(0, m);
  Matrix inner(m, m);
  parallel_blocks(m, kDualColumnBlock, [&](Index begin, Index end) {
    inner.middleCols(begin, end - begin).noalias() =
        half.transpose() * half.middleCols(begin, end - begin);
  });
  // A product's two triangles may differ in the last bit; a covariance's may not.
  inner.triangularView<Eigen::StrictlyUpper>() = inner.transpose();
  const Vector variance = prior_.alpha.cwiseInverse();
  Vector z;
  if (prior_.bias) {
    phi_.multiply_transposed(root_beta_.cwiseProduct(solved_ones_), z);
    inner.noalias() -= z * z.transpose() / bias_schur_;
  }
  const Index size = m + (prior_.bias ? 1 : 0);
  Matrix covariance(size, size);
  covariance.topLeftCorner(m, m) = -(variance.asDiagonal() * inner * variance.asDiagonal());
  covariance.diagonal().head(m) += variance;
  if (prior_.bias) {
    covariance.col(m).head(m) = -variance.cwiseProduct(z) / bias_schur_;
    covariance.row(m).head(m) = covariance.col(m).head(m).transpose();
    covariance(m, m) = 1 / bias_schur_;
  }
  return covariance;
}

}  // namespace ardent
