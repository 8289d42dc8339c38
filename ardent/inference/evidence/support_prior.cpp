#include "ardent/inference/evidence/support_prior.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <functional>

#include "ardent/base/elementary.h"
#include "ardent/base/random.h"

namespace ardent {
namespace {

constexpr double kMostGramWork = 1e10;
constexpr Index kTraceProbes = 16;
constexpr Index kMostEigenvalues = 400;  // beyond, tr √S is estimated
constexpr Index kLanczosSteps = 20;
constexpr double kSpannedLanczos = 1e-10;
constexpr double kConstantColumn =
    1e-12;  // of a column's mean square: a smaller variance is rounding

/// Z = (Phi − 1 meanᵀ) diag(factor), whose columns have ZᵀCZ of unit diagonal (C: row weights).
class StandardColumns {
 public:
  StandardColumns(const Design& phi, const Vector& weights, bool bias)
      : phi_(phi), weights_(weights) {
    const double count = weights.sum();
    mean_ = Vector::Zero(phi.cols());
    if (bias) {
      phi.multiply_transposed(weights, mean_);
      mean_ /= count;
    }
    phi.weighted_square_norms(weights, factor_);
    for (Index k = 0; k < factor_.size(); ++k) {
      const double square = factor_[k] / count, variance = square - mean_[k] * mean_[k];
      const bool varies = variance > kConstantColumn * square;
      factor_[k] = varies ? 1 / std::sqrt(count * variance) : 0;
      columns_ += varies ? 1 : 0;
    }
  }

  Index columns() const { return columns_; }

  /// S v = ZᵀCZ v
  Vector correlate(const Vector& v) const {
    const Vector scaled = factor_.cwiseProduct(v);
    Vector fitted, out;
    phi_.multiply(scaled, fitted);
    fitted.array() -= mean_.dot(scaled);
    fitted.array() *= weights_.array();
    phi_.multiply_transposed(fitted, out);
    out -= fitted.sum() * mean_;
    return factor_.cwiseProduct(out);
  }

  /// S, or C^½ZZᵀC^½ with the same eigenvalues but zeros, whichever is smaller.
  Matrix small_side() const {
    Matrix gram;
    if (phi_.cols() <= phi_.rows()) {
      phi_.weighted_gram(weights_, gram);
      gram.noalias() -= weights_.sum() * mean_ * mean_.transpose();
      return factor_.asDiagonal() * gram * factor_.asDiagonal();
    }
    const Vector squares = factor_.cwiseProduct(factor_);
    phi_.weighted_outer(squares, gram);
    Vector shift;
    phi_.multiply(squares.cwiseProduct(mean_), shift);
    gram.colwise() -= shift;
    gram.rowwise() -= shift.transpose();
    gram.array() += mean_.dot(squares.cwiseProduct(mean_));
    const Vector roots = weights_.cwiseSqrt();
    return roots.asDiagonal() * gram * roots.asDiagonal();
  }

 private:
  const Design& phi_;
  const Vector& weights_;
  Vector mean_, factor_;
  Index columns_ = 0;  // that are not constant
};

/// Σ√λ over the eigenvalues.
double root_trace(const Matrix& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetric, Eigen::EigenvaluesOnly);
  return solver.eigenvalues().cwiseMax(0.0).cwiseSqrt().sum();
}

/// zᵀ√S z by Lanczos quadrature: √ of the small tridiagonal matrix of S about z (Golub and
/// Meurant).
double root_form(const std::function<Vector(const Vector&)>& product, const Vector& z) {
  std::vector<Vector> basis{z.normalized()};
  Vector diagonal(kLanczosSteps), below(kLanczosSteps);
  Index size = 0;
  while (size < kLanczosSteps) {
    const Vector& v = basis.back();
    Vector next = product(v);
    diagonal[size] = v.dot(next);
    for (const Vector& u : basis) next -= u.dot(next) * u;
    below[size] = next.norm();
    if (!(below[size++] > kSpannedLanczos * std::abs(diagonal[0]))) break;
    basis.push_back(next / below[size - 1]);
  }
  Eigen::SelfAdjointEigenSolver<Matrix> solver;
  solver.computeFromTridiagonal(diagonal.head(size), below.head(size - 1));
  const Vector roots = solver.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  return z.squaredNorm() * roots.dot(solver.eigenvectors().row(0).transpose().cwiseAbs2());
}

/// The mean of that over random signs z is tr √S.
double probed_root_trace(const std::function<Vector(const Vector&)>& product, Index size) {
  double sum = 0;
  for (Index probe = 0; probe < kTraceProbes; ++probe) {
    Random random(0, static_cast<std::uint64_t>(probe));
    Vector signs(size);
    for (Index k = 0; k < size; ++k) signs[k] = random.bits() >> 63 ? 1.0 : -1.0;
    sum += root_form(product, signs);
  }
  return sum / kTraceProbes;
}

}  // namespace

double SupportPrior::cost(Index kept) const {
  const auto k = static_cast<double>(kept);
  return candidates_ - k > k + 1 ? elementary::log((candidates_ - k) / (k + 1)) : 0;
}

double SupportPrior::log_probability(Index kept) const {
  double sum = 0;
  for (Index k = 0; k < kept && cost(k) > 0; ++k) sum -= cost(k);
  return sum;
}

double effective_candidates(const Design& design, const Vector& row_weights, bool bias) {
  const StandardColumns columns(design, row_weights, bias);
  const auto p = static_cast<double>(columns.columns());
  const double n = row_weights.sum() - (bias ? 1 : 0);
  if (p <= 1 || n <= 1) return 1;
  const auto rows = static_cast<double>(design.rows()), all = static_cast<double>(design.cols());
  const bool affordable = rows * all * std::min(rows, all) <= kMostGramWork;
  double trace = 0;  // of √S
  if (!affordable) {
    trace = probed_root_trace([&](const Vector& v) { return columns.correlate(v); }, design.cols());
  } else {
    const Matrix gram = columns.small_side();
    trace = gram.rows() <= kMostEigenvalues
                ? root_trace(gram)
                : probed_root_trace([&](const Vector& v) { return Vector(gram * v); }, gram.rows());
  }
  const double inverse = (p / (trace * trace) - 1 / n) / (1 - 1 / n);
  return inverse * p > 1 ? std::max(1 / inverse, 1.0) : p;
}

}  // namespace ardent
