#include "ardent/inference/coding/active_posterior.h"

#include <algorithm>

#include "ardent/base/elementary.h"
#include "ardent/base/parallel.h"

namespace ardent {
namespace {

constexpr Index kAtomBlock = 256;  // right-hand sides solved at once
constexpr double kLeastJitter = 1e-14;

}  // namespace

ActivePosterior::ActivePosterior(const Matrix& gram, Vector gamma, double lambda)
    : gamma_(std::move(gamma)), root_gamma_(gamma_.cwiseSqrt()), lambda_(lambda) {
  Matrix b = root_gamma_.asDiagonal() * gram * root_gamma_.asDiagonal();
  b /= lambda;
  b.diagonal().array() += 1;
  factor_.compute(b);
  // Where atoms depend on each other and lambda is next to nothing, B is singular to rounding.
  const Vector diagonal = b.diagonal();
  for (double jitter = kLeastJitter; !is_factorised() && jitter < 1; jitter *= 10) {
    b.diagonal() = (1 + jitter) * diagonal;
    factor_.compute(b);
  }
}

bool ActivePosterior::is_factorised() const {
  if (size() == 0) return true;
  const auto pivots = factor_.matrixLLT().diagonal().array();
  return factor_.info() == Eigen::Success && pivots.allFinite() && (pivots > 0).all();
}

Vector ActivePosterior::mean(const Vector& support_rho) const {
  if (size() == 0) return {};
  const Vector right = root_gamma_.cwiseProduct(support_rho) / lambda_;
  return root_gamma_.cwiseProduct(Vector(factor_.solve(right)));
}

Matrix ActivePosterior::covariance() const {
  if (size() == 0) return {};
  const Matrix inverse = factor_.solve(Matrix::Identity(size(), size()));
  return root_gamma_.asDiagonal() * inverse * root_gamma_.asDiagonal();
}

double ActivePosterior::log_determinant() const {
  if (size() == 0) return 0;
  return 2 * elementary::sum_of_logs(factor_.matrixLLT().diagonal());
}

Vector ActivePosterior::reweighting(const Vector& norms, std::span<const Index> support,
                                    const std::vector<const Vector*>& gram_rows) const {
  const Index k = size();
  Vector squares = norms.cwiseAbs2();
  Vector explained = Vector::Zero(norms.size());  // ‖L⁻¹Γ^½Φ_Sᵀφ_i‖²
  parallel_blocks(k == 0 ? 0 : norms.size(), kAtomBlock, [&](Index begin, Index end) {
    Matrix right(k, end - begin);
    for (Index j = 0; j < k; ++j) {
      const Vector& row = *gram_rows[j];
      right.row(j) = root_gamma_[j] * row.segment(begin, end - begin).transpose();
    }
    factor_.matrixL().solveInPlace(right);
    explained.segment(begin, end - begin) = right.colwise().squaredNorm().transpose();
  });
  Vector gamma_h = (squares - explained / lambda_) / lambda_;
  if (k > 0) {
    // Where an atom is explained almost wholly by itself, the difference has lost its digits.
    const Vector inverse = Matrix(factor_.solve(Matrix::Identity(k, k))).diagonal();
    for (Index j = 0; j < k; ++j) {
      const Index i = support[j];
      if (inverse[j] < 0.5) gamma_h[i] = (1 - inverse[j]) / gamma_[j];
    }
  }
  double spread = lambda_;
  for (Index j = 0; j < k; ++j) spread += gamma_[j] * squares[support[j]];
  return gamma_h.cwiseMax(squares / spread).cwiseMin(squares / lambda_);
}

}  // namespace ardent
