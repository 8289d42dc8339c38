#include "ardent/inference/doubly_sparse/collapsed_evidence.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"

namespace ardent::doubly_sparse {
namespace {

/// L of Q = LLᵀ, whose eigenvalues are `least` at least but for rounding. Columns that are nearly
/// alike, little noise and wide priors of the weights can leave less than rounding of the smallest
/// ones: these are then raised to `least`, and Q = UΛUᵀ has the factor Rᵀ of Λ^½Uᵀ = (orthogonal)
/// R.
Matrix lower_factor(const Matrix& q, double least) {
  const Eigen::LLT<Matrix> factored(q);
  if (factored.info() == Eigen::Success) return factored.matrixLLT();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(q);
  if (eigen.info() != Eigen::Success || !eigen.eigenvalues().allFinite()) {
    throw Error("masks: the posterior precision of the weights is not positive definite");
  }
  const Vector root = eigen.eigenvalues().cwiseMax(least).cwiseSqrt();
  const Eigen::HouseholderQR<Matrix> qr(root.asDiagonal() * eigen.eigenvectors().transpose());
  Matrix lower = Matrix(qr.matrixQR().triangularView<Eigen::Upper>()).transpose();
  for (Index j = 0; j < lower.cols(); ++j) {
    if (lower(j, j) < 0) lower.col(j) *= -1;
    lower(j, j) = std::max(lower(j, j), std::sqrt(least));
  }
  return lower;
}

}  // namespace

CollapsedEvidence::CollapsedEvidence(const Matrix& q, const Vector& v, const Vector& precision)
    : size_(q.rows()), half_(v), precision_(precision) {
  if (size_ == 0) return;
  factor_ = lower_factor(q, precision.minCoeff());
  factor().triangularView<Eigen::Lower>().solveInPlace(half_);
}

double CollapsedEvidence::value() const {
  double sum = 0.5 * half_.head(size_).squaredNorm();
  for (Index j = 0; j < size_; ++j)
    sum += 0.5 * elementary::log(precision_[j]) - elementary::log(factor_(j, j));
  return sum;
}

CollapsedEvidence::Addition CollapsedEvidence::addition(const ColumnProducts& column) const {
  Addition result{column.u, 0, 0};
  if (size_ > 0) factor().triangularView<Eigen::Lower>().solveInPlace(result.l);
  // A Schur complement of Q is at least the column's own precision; rounding must not undercut it.
  result.s = std::max(column.precision, column.precision + column.own - result.l.squaredNorm());
  result.h = column.target - result.l.dot(half_.head(size_));
  return result;
}

double CollapsedEvidence::change_by_adding(const ColumnProducts& column) const {
  const Addition added = addition(column);
  return 0.5 * elementary::log(column.precision / added.s) + added.h * added.h / (2 * added.s);
}

double CollapsedEvidence::change_by_removing(Index j) const {
  // L⁻¹e_j is zero above j.
  const Index below = size_ - j;
  Vector x = Vector::Zero(below);
  x[0] = 1;
  factor_.block(j, j, below, below).triangularView<Eigen::Lower>().solveInPlace(x);
  const double s = 1 / x.squaredNorm();
  const double mean = x.dot(half_.segment(j, below));
  return -(0.5 * elementary::log(precision_[j] / s) + 0.5 * mean * mean * s);
}

void CollapsedEvidence::reserve(Index size) {
  if (size <= factor_.rows()) return;
  const Index capacity = std::max<Index>(8, 2 * size);
  factor_.conservativeResize(capacity, capacity);
  half_.conservativeResize(capacity);
  precision_.conservativeResize(capacity);
}

void CollapsedEvidence::add(const ColumnProducts& column) {
  const Addition added = addition(column);
  reserve(size_ + 1);
  factor_.row(size_).head(size_) = added.l.transpose();
  factor_(size_, size_) = std::sqrt(added.s);
  half_[size_] = added.h / factor_(size_, size_);
  precision_[size_] = column.precision;
  ++size_;
}

void CollapsedEvidence::remove(Index j) {
  // Rows below j move up; each then has one entry right of the diagonal, which a rotation of two
  // columns clears. The same rotations take h along, so that L h = v holds throughout.
  for (Index r = j; r + 1 < size_; ++r) {
    factor_.row(r).head(r + 2) = factor_.row(r + 1).head(r + 2);
    precision_[r] = precision_[r + 1];
  }
  const Index rows = size_ - 1;
  for (Index c = j; c < rows; ++c) {
    const double length = elementary::length(factor_(c, c), factor_(c, c + 1));
    const double co = factor_(c, c) / length, si = factor_(c, c + 1) / length;
    for (Index r = c; r < rows; ++r) {
      const double left = factor_(r, c), right = factor_(r, c + 1);
      factor_(r, c) = co * left + si * right;
      factor_(r, c + 1) = co * right - si * left;
    }
    const double left = half_[c], right = half_[c + 1];
    half_[c] = co * left + si * right;
    half_[c + 1] = co * right - si * left;
  }
  size_ = rows;
}

CollapsedEvidence CollapsedEvidence::with_precision(const Vector& precision) const {
  if (size_ == 0) return {};
  const Matrix lower = factor().triangularView<Eigen::Lower>();
  Matrix q = lower * lower.transpose();
  q.diagonal() += precision - precision_.head(size_);
  return CollapsedEvidence(q, lower * half_.head(size_), precision);
}

Vector CollapsedEvidence::mean() const {
  Vector x = half_.head(size_);
  if (size_ > 0) factor().transpose().triangularView<Eigen::Upper>().solveInPlace(x);
  return x;
}

Vector CollapsedEvidence::draw(Random& random) const {
  Vector x = half_.head(size_);
  for (Index j = 0; j < size_; ++j) x[j] += random.normal();
  if (size_ > 0) factor().transpose().triangularView<Eigen::Upper>().solveInPlace(x);
  return x;
}

}  // namespace ardent::doubly_sparse
