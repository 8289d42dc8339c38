#include "ardent/inference/evidence/primal_space.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "ardent/base/elementary.h"
#include "ardent/base/index_range.h"
#include "ardent/linalg/cholesky.h"

namespace ardent {
namespace {

constexpr Index kLeverageColumns = 64;  // of the inverse that are asked for at one time

void add_prior(const Prior& prior, Matrix& gram) {
  for (Index k = 0; k < prior.alpha.size(); ++k) gram(k, k) += prior.alpha[k];
  if (prior.bias) gram(gram.rows() - 1, gram.cols() - 1) += prior.bias_precision;
}

/// Those of the processor.
class HostPrimal : public PrimalMatrices {
 public:
  HostPrimal(const Design& phi, const Prior& prior, std::shared_ptr<const Matrix> unit_gram,
             double row_count)
      : phi_(phi), prior_(prior), unit_gram_(std::move(unit_gram)), row_count_(row_count) {}

  void factor(const Vector& beta) override {
    if (unit_gram_) {
      Matrix hessian = (beta.sum() / row_count_) * *unit_gram_;
      add_prior(prior_, hessian);
      factor_.emplace(hessian);
    } else {
      factor_.emplace(bordered_hessian(phi_, beta, prior_));
    }
  }
  Vector solve(const Vector& b) const override { return factor_->solve(b); }
  Vector inverse_diagonal() const override { return factor_->inverse_diagonal(); }
  Matrix inverse() const override { return factor_->inverse(); }
  double log_determinant() const override { return factor_->log_determinant(); }
  double jitter() const override { return factor_->jitter(); }

 private:
  const Design& phi_;
  const Prior& prior_;
  std::shared_ptr<const Matrix> unit_gram_;
  double row_count_;
  std::optional<Cholesky> factor_;
};

}  // namespace

Matrix bordered_gram(const Design& phi, const Vector& beta, bool bias) {
  Matrix gram;
  phi.weighted_gram(beta, gram);
  if (!bias) return gram;
  const Index m = phi.cols();
  Vector border;
  phi.multiply_transposed(beta, border);
  gram.conservativeResize(m + 1, m + 1);
  gram.col(m).head(m) = border;
  gram.row(m).head(m) = border.transpose();
  gram(m, m) = phi.over_rows(beta.sum());
  return gram;
}

Matrix bordered_hessian(const Design& phi, const Vector& beta, const Prior& prior) {
  Matrix hessian = bordered_gram(phi, beta, prior.bias);
  add_prior(prior, hessian);
  return hessian;
}

Vector bordered_ascent(const Design& phi, const Vector& residual, const Vector& w, double bias,
                       const Prior& prior) {
  Vector ascent;
  phi.multiply_transposed(residual, ascent);
  ascent.array() -= prior.alpha.array() * w.array();
  if (prior.bias) {
    ascent.conservativeResize(ascent.size() + 1);
    ascent[ascent.size() - 1] = phi.over_rows(residual.sum()) - prior.bias_precision * bias;
  }
  return ascent;
}

PrimalSpace::PrimalSpace(const Design& phi, const Prior& prior,
                         std::shared_ptr<const Matrix> unit_gram, double row_count)
    : PrimalSpace(phi, prior,
                  std::make_unique<HostPrimal>(phi, prior, std::move(unit_gram), row_count)) {}

PrimalSpace::PrimalSpace(const Design& phi, const Prior& prior,
                         std::unique_ptr<PrimalMatrices> matrices)
    : phi_(phi), prior_(prior), matrices_(std::move(matrices)) {}

Predictor PrimalSpace::predictor(const Vector& weights, double bias) const {
  Predictor made{weights, bias, {}};
  phi_.multiply(weights, made.fitted);
  made.fitted.array() += bias;
  return made;
}

void PrimalSpace::factor(const Vector& beta) {
  beta_ = beta;
  matrices_->factor(beta);
}

Predictor PrimalSpace::constant(double bias) const {
  return {Vector::Zero(phi_.cols()), bias, Vector::Constant(phi_.rows(), bias)};
}

Predictor PrimalSpace::newton_step(const Vector& residual, const Predictor& at) const {
  const Vector step =
      matrices_->solve(bordered_ascent(phi_, residual, at.coordinates, at.bias, prior_));
  return predictor(step.head(phi_.cols()), prior_.bias ? step[phi_.cols()] : 0.0);
}

double PrimalSpace::inner(const Predictor& one, const Predictor& other) const {
  const double weights =
      (prior_.alpha.array() * one.coordinates.array() * other.coordinates.array()).sum();
  return weights + (prior_.bias ? prior_.bias_precision * one.bias * other.bias : 0.0);
}

Relevance PrimalSpace::relevance() const {
  const Index m = phi_.cols();
  const Vector variance = matrices_->inverse_diagonal();
  Relevance relevance;
  relevance.gamma = (1 - prior_.alpha.array() * variance.head(m).array()).max(0.0).min(1.0);
  if (prior_.bias) relevance.bias_gamma = 1 - prior_.bias_precision * variance[m];
  return relevance;
}

Vector PrimalSpace::leverages() const {
  const Index m = phi_.cols();
  const Matrix inverse = matrices_->inverse();
  Vector variance = Vector::Constant(beta_.size(), prior_.bias ? inverse(m, m) : 0.0);
  if (prior_.bias && m > 0) {
    Vector shared;
    phi_.multiply(inverse.col(m).head(m), shared);
    variance += 2 * shared;
  }
  RowMatrix products;
  for (Index begin = 0; begin < m; begin += kLeverageColumns) {
    const Index count = std::min(kLeverageColumns, m - begin);
    phi_.multiply_many(inverse.block(0, begin, m, count), products);
    const Matrix columns = phi_.columns(index_range(begin, begin + count));
    variance += columns.cwiseProduct(products).rowwise().sum();
  }
  return variance.cwiseProduct(beta_).cwiseMax(0).cwiseMin(1);
}

double PrimalSpace::log_determinant_ratio() const {
  const double prior = elementary::sum_of_logs(prior_.alpha) +
                       (prior_.bias ? elementary::log(prior_.bias_precision) : 0.0);
  return matrices_->log_determinant() - prior;
}

}  // namespace ardent
