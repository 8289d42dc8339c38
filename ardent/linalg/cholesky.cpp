#include "ardent/linalg/cholesky.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/linalg/symmetric_product.h"

namespace ardent {
namespace {

constexpr Index kPanel = 96;            // columns factorised at a time
constexpr Index kPanelRowBlock = 128;   // rows of a panel, and columns of a right side, per task
constexpr double kFirstJitter = 1e-14;  // a few roundings of a unit diagonal
constexpr double kLastJitter = 1e-2;    // needed only by a matrix that is not semidefinite at all
// A smaller pivot of a matrix with unit diagonal is rounding alone, and its inverse is noise.
constexpr double kSmallestPivot = 2e-15;

/// D⁻¹ H D⁻¹ with `diagonal` on its diagonal, lower triangle only.
Matrix equilibrated(const Matrix& h, const Vector& scale, double diagonal) {
  Matrix unit(h.rows(), h.cols());
  const Vector inverse_scale = scale.cwiseInverse();
  parallel_blocks(h.cols(), kPanelRowBlock, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const Index below = h.rows() - k;
      unit.col(k).tail(below) =
          h.col(k).tail(below).cwiseProduct(inverse_scale.tail(below)) * inverse_scale[k];
      unit(k, k) = diagonal;
    }
  });
  return unit;
}

/// Overwrites the lower triangle with its Cholesky factor; false where a pivot is too small.
/// Right-looking: factorise a diagonal block, solve for the panel below it, update what remains.
bool factorise(Matrix& a) {
  const Index n = a.rows();
  for (Index k = 0; k < n; k += kPanel) {
    const Index width = std::min(kPanel, n - k);
    const Index below = n - k - width;
    auto corner = a.block(k, k, width, width);
    if (Eigen::internal::llt_inplace<double, Eigen::Lower>::blocked(corner) >= 0) return false;
    if (!(corner.diagonal().array().square() >= kSmallestPivot).all()) return false;
    auto panel = a.block(k + width, k, below, width);
    parallel_blocks(below, kPanelRowBlock, [&](Index begin, Index end) {
      auto rows = panel.middleRows(begin, end - begin);
      corner.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(rows);
    });
    add_weighted_outer(panel, Vector::Constant(width, -1),
                       a.block(k + width, k + width, below, below));
  }
  return true;
}

/// Calls solve(block) for blocks of columns of `b`, in parallel.
template <class Solve>
void for_column_blocks(Matrix& b, Solve&& solve) {
  parallel_blocks(b.cols(), kPanelRowBlock,
                  [&](Index begin, Index end) { solve(b.middleCols(begin, end - begin)); });
}

void require_rows(Index found, Index wanted) {
  if (found != wanted) {
    throw InputError(fmt::format("the right side has {} rows but the factorised matrix is {} × {}",
                                 found, wanted, wanted));
  }
}

}  // namespace

Cholesky::Cholesky(const Matrix& h) {
  if (h.rows() != h.cols()) {
    throw InputError(
        fmt::format("Cholesky: the matrix is {} × {}, not square", h.rows(), h.cols()));
  }
  const Vector diagonal = h.diagonal();
  if (!(diagonal.array() > 0).all() || !diagonal.allFinite()) {
    throw Error("Cholesky: the diagonal must be positive and finite");
  }
  scale_ = diagonal.array().sqrt();
  factor_ = equilibrated(h, scale_, 1);
  for (double jitter = kFirstJitter; !factorise(factor_); jitter *= 10) {
    if (jitter > kLastJitter) throw Error("Cholesky: the matrix is not positive semidefinite");
    factor_ = equilibrated(h, scale_, 1 + jitter);
    jitter_ = jitter;
  }
}

Vector Cholesky::solve(const Vector& b) const {
  require_rows(b.size(), scale_.size());
  Vector x = b.cwiseQuotient(scale_);
  factor_.triangularView<Eigen::Lower>().solveInPlace(x);
  factor_.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
  return x.cwiseQuotient(scale_);
}

Matrix Cholesky::solve(const Matrix& b) const {
  Matrix x = half_solve(b);
  for_column_blocks(x, [&](auto block) {
    factor_.triangularView<Eigen::Lower>().transpose().solveInPlace(block);
    block.array().colwise() /= scale_.array();
  });
  return x;
}

Matrix Cholesky::half_solve(const Matrix& b) const {
  require_rows(b.rows(), scale_.size());
  Matrix x = b;
  for_column_blocks(x, [&](auto block) {
    block.array().colwise() /= scale_.array();
    factor_.triangularView<Eigen::Lower>().solveInPlace(block);
  });
  return x;
}

/// L⁻¹ = L̂⁻¹ D⁻¹: column block by column block, each from its first row on.
Matrix Cholesky::inverse_factor() const {
  const Index n = scale_.size();
  Matrix inverse = Matrix::Zero(n, n);
  parallel_blocks(n, kPanel, [&](Index begin, Index end) {
    const Index height = n - begin;
    auto columns = inverse.block(begin, begin, height, end - begin);
    for (Index k = begin; k < end; ++k) inverse(k, k) = 1 / scale_[k];
    factor_.bottomRightCorner(height, height).triangularView<Eigen::Lower>().solveInPlace(columns);
  });
  return inverse;
}

Matrix Cholesky::inverse() const {
  const Index n = scale_.size();
  const Matrix half = inverse_factor();
  Matrix inverse(n, n);
  parallel_blocks(n, kPanel, [&](Index begin, Index end) {
    const Index height = n - begin;
    inverse.block(begin, begin, height, end - begin).noalias() =
        half.bottomRightCorner(height, height).triangularView<Eigen::Lower>().transpose() *
        half.block(begin, begin, height, end - begin);
  });
  mirror_lower(inverse);
  return inverse;
}

Vector Cholesky::inverse_diagonal() const {
  const Matrix half = inverse_factor();
  Vector diagonal(half.cols());
  parallel_blocks(half.cols(), kPanel, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) diagonal[k] = half.col(k).squaredNorm();
  });
  return diagonal;
}

double Cholesky::log_determinant() const {
  return 2 * (elementary::sum_of_logs(factor_.diagonal()) + elementary::sum_of_logs(scale_));
}

}  // namespace ardent
