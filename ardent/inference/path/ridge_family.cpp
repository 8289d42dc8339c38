#include "ardent/inference/path/ridge_family.h"

#include <Eigen/Eigenvalues>

#include "ardent/base/elementary.h"
#include "ardent/base/index_range.h"
#include "ardent/linalg/cholesky.h"
#include "ardent/linalg/symmetric_product.h"

namespace ardent {
namespace {

constexpr double kEigenRounding = 1e-12;  // of the largest eigenvalue

/// The eigenvectors and -values of XᵀX or XXᵀ that are not rounding.
struct Spectrum {
  Matrix vectors;
  Vector values;
};

Spectrum spectrum_of(Matrix product) {
  mirror_lower(product);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(product);
  const Vector& values = solver.eigenvalues();  // ascending
  const double least = kEigenRounding * values[values.size() - 1];
  Index rank = 0;
  while (rank < values.size() && values[values.size() - 1 - rank] > least) ++rank;
  return {solver.eigenvectors().rightCols(rank), values.tail(rank)};
}

}  // namespace

RidgeFamily::RidgeFamily(const ActiveProblem& problem, bool bias) : problem_(problem) {
  const Index n = problem.t.size(), m = problem.active();
  const Vector& counts = problem.row_weights;
  root_ = counts.cwiseSqrt();
  y_ = root_.cwiseProduct(problem.t);
  Matrix x = problem.phi->columns(index_range(0, m));
  unit_ = Vector::Zero(n);
  mean_ = Vector::Zero(m);
  if (bias) {
    const double rows = counts.sum();
    unit_ = root_ / std::sqrt(rows);
    problem.phi->multiply_transposed(counts, mean_);
    mean_ /= rows;
    target_mean_ = counts.dot(problem.t) / rows;
    for (Index k = 0; k < m; ++k) x.col(k).array() -= mean_[k];
  }
  for (Index k = 0; k < m; ++k) x.col(k).array() *= root_.array();
  factorise(x);
  along_ = u_.transpose() * y_;
}

void RidgeFamily::factorise(const Matrix& x) {
  const Index n = x.rows(), m = x.cols();
  if (m < n) {
    Matrix gram = Matrix::Zero(m, m);
    add_weighted_gram(x, Vector::Ones(n), gram);
    Spectrum spectrum = spectrum_of(std::move(gram));
    lambda_ = std::move(spectrum.values);
    u_ = x * spectrum.vectors;
    for (Index j = 0; j < lambda_.size(); ++j) u_.col(j) /= std::sqrt(lambda_[j]);
    return;
  }
  Matrix kernel = Matrix::Zero(n, n);
  add_weighted_outer(x, Vector::Ones(m), kernel);
  Spectrum spectrum = spectrum_of(std::move(kernel));
  lambda_ = std::move(spectrum.values);
  u_ = std::move(spectrum.vectors);
}

Vector RidgeFamily::held_out_losses(double alpha, const std::vector<Split>& folds) const {
  const Vector share = lambda_.array() / (lambda_.array() + alpha);
  const Vector left = y_ - unit_ * unit_.dot(y_) - u_ * share.cwiseProduct(along_);
  Vector losses = Vector::Zero(y_.size());
  for (const Split& fold : folds) {
    const Matrix u = u_(fold.test, Eigen::all);
    const Vector unit = unit_(fold.test);
    Matrix of_fold = Matrix::Zero(u.rows(), u.rows());
    add_weighted_outer(u, share, of_fold);
    of_fold = -of_fold - unit * unit.transpose();
    of_fold.diagonal().array() += 1;
    const Vector error = Cholesky(of_fold).solve(Vector(left(fold.test)));
    losses(fold.test) = error.cwiseAbs2();
  }
  return losses;
}

RidgeFamily::Weights RidgeFamily::weights(double alpha) const {
  const Vector dual = u_ * Vector(along_.array() / (lambda_.array() + alpha));
  const Vector by_row = root_.cwiseProduct(dual);
  Weights result;
  problem_.phi->multiply_transposed(by_row, result.w);
  result.w -= mean_ * by_row.sum();  // next to nothing: what is centred sums to 0
  result.bias = target_mean_ - mean_.dot(result.w);
  return result;
}

double RidgeFamily::log_evidence_over_bias(double alpha) const {
  const double free = problem_.row_count() - (unit_.squaredNorm() > 0 ? 1 : 0);
  const double alone = (y_ - unit_ * unit_.dot(y_)).squaredNorm();
  const Vector spread = 1 + lambda_.array() / alpha;
  const double explained = (along_.array().square() * (1 - spread.array().inverse())).sum();
  const double left = std::max(alone - explained, kEigenRounding * alone);
  return -0.5 * (elementary::sum_of_logs(spread) + free * elementary::log(left / alone));
}

}  // namespace ardent
