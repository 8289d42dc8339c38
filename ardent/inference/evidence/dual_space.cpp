#include "ardent/inference/evidence/dual_space.h"

#include <cmath>
#include <optional>
#include <stdexcept>

#include "ardent/base/elementary.h"
#include "ardent/base/index_range.h"
#include "ardent/base/parallel.h"
#include "ardent/linalg/cholesky.h"

namespace ardent {
namespace {

constexpr Index kDualColumnBlock = 64;  // columns of Phi that are dense at one time, per thread

/// Those of the processor.
class HostDual : public DualMatrices {
 public:
  HostDual(const Design& phi, const Prior& prior) : phi_(phi) {
    phi_.weighted_outer(prior.alpha.cwiseInverse(), kernel_);
  }

  Vector kernel_times(const Vector& v) const override { return kernel_ * v; }

  void factor(const Vector& root_beta) override {
    root_beta_ = root_beta;
    Matrix w = root_beta_.asDiagonal() * kernel_ * root_beta_.asDiagonal();
    w.diagonal().array() += 1;
    factor_.emplace(w);
  }

  Vector solve(const Vector& b) const override { return factor_->solve(b); }

  Vector half_solved_square_norms() const override {
    Vector norms(phi_.cols());
    parallel_blocks(phi_.cols(), kDualColumnBlock, [&](Index begin, Index end) {
      norms.segment(begin, end - begin) =
          half_solved_columns(begin, end).colwise().squaredNorm().transpose();
    });
    return norms;
  }

  Matrix half_solved_products() const override {
    const Index m = phi_.cols();
    const Matrix half = half_solved_columns(0, m);
    Matrix products(m, m);
    parallel_blocks(m, kDualColumnBlock, [&](Index begin, Index end) {
      products.middleCols(begin, end - begin).noalias() =
          half.transpose() * half.middleCols(begin, end - begin);
    });
    // A product's two triangles may differ in the last bit; a covariance's may not.
    products.triangularView<Eigen::StrictlyUpper>() = products.transpose();
    return products;
  }

  Vector inverse_diagonal() const override { return factor_->inverse_diagonal(); }
  double log_determinant() const override { return factor_->log_determinant(); }
  double jitter() const override { return factor_->jitter(); }

 private:
  /// L⁻¹ S Phi for the columns begin … end.
  Matrix half_solved_columns(Index begin, Index end) const {
    return factor_->half_solve(root_beta_.asDiagonal() * phi_.columns(index_range(begin, end)));
  }

  const Design& phi_;
  Matrix kernel_;
  Vector root_beta_;
  std::optional<Cholesky> factor_;
};

}  // namespace

Vector DualMatrices::inverse_diagonal() const {
  throw std::logic_error("this accelerator does not have the inverse's diagonal of a dual space");
}

DualSpace::DualSpace(const Design& phi, const Prior& prior)
    : DualSpace(phi, prior, std::make_unique<HostDual>(phi, prior)) {}

DualSpace::DualSpace(const Design& phi, const Prior& prior, std::unique_ptr<DualMatrices> matrices)
    : phi_(phi), prior_(prior), matrices_(std::move(matrices)) {}

Predictor DualSpace::predictor(Vector dual, double bias) const {
  Predictor predictor{std::move(dual), bias, {}};
  predictor.fitted = matrices_->kernel_times(predictor.coordinates);
  predictor.fitted.array() += bias;
  return predictor;
}

Predictor DualSpace::constant(double bias) const {
  return {Vector::Zero(phi_.rows()), bias, Vector::Constant(phi_.rows(), bias)};
}

void DualSpace::factor(const Vector& beta) {
  root_beta_ = beta.cwiseSqrt();
  matrices_->factor(root_beta_);
  if (!prior_.bias) return;
  solved_ones_ = matrices_->solve(root_beta_);
  bias_schur_ = prior_.bias_precision + root_beta_.dot(solved_ones_);
}

Predictor DualSpace::newton_step(const Vector& residual, const Predictor& at) const {
  const Vector r = residual - at.coordinates;
  const Vector q = root_beta_.cwiseProduct(matrices_->kernel_times(r));
  Vector scaled = matrices_->solve(q);
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

Relevance DualSpace::relevance() const {
  Relevance relevance;
  relevance.gamma = matrices_->half_solved_square_norms();
  if (prior_.bias) {
    Vector z;
    phi_.multiply_transposed(root_beta_.cwiseProduct(solved_ones_), z);
    relevance.gamma.array() -= z.array().square() / bias_schur_;
    relevance.bias_gamma = 1 - prior_.bias_precision / bias_schur_;
  }
  relevance.gamma = (relevance.gamma.array() / prior_.alpha.array()).max(0.0).min(1.0);
  return relevance;
}

Vector DualSpace::leverages() const {
  Vector leverages = 1 - matrices_->inverse_diagonal().array();
  if (prior_.bias) leverages.array() += solved_ones_.array().square() / bias_schur_;
  return leverages.cwiseMax(0).cwiseMin(1);
}

double DualSpace::log_determinant_ratio() const {
  const double bias = prior_.bias ? elementary::log(bias_schur_ / prior_.bias_precision) : 0.0;
  return matrices_->log_determinant() + bias;
}

Matrix DualSpace::covariance() const {
  const Index m = phi_.cols();
  Matrix inner = matrices_->half_solved_products();
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
