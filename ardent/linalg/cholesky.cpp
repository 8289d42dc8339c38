#include "ardent/linalg/cholesky.h"

#include "ardent/base/error.h"

namespace ardent {

Cholesky::Cholesky(const Matrix& h) {
  const Vector diagonal = h.diagonal();
  if (!(diagonal.array() > 0).all() || !diagonal.allFinite()) {
    throw Error("Cholesky: the diagonal must be positive and finite");
  }
  scale_ = diagonal.array().sqrt();
  Matrix unit = scale_.cwiseInverse().asDiagonal() * h * scale_.cwiseInverse().asDiagonal();
  unit.diagonal().setOnes();
  factor_.compute(unit);
  // 1e-14 is a few roundings of a unit diagonal; 1e-2 would only be reached by a matrix that is
  // not semidefinite at all.
  for (double jitter = 1e-14; factor_.info() != Eigen::Success; jitter *= 10) {
    if (jitter > 1e-2) throw Error("Cholesky: the matrix is not positive semidefinite");
    unit.diagonal().setConstant(1 + jitter);
    factor_.compute(unit);
    jitter_ = jitter;
  }
}

Vector Cholesky::solve(const Vector& b) const {
  return factor_.solve(b.cwiseQuotient(scale_)).cwiseQuotient(scale_);
}

Matrix Cholesky::solve(const Matrix& b) const {
  const auto inverse_scale = scale_.cwiseInverse().asDiagonal();
  return inverse_scale * factor_.solve(inverse_scale * b);
}

Matrix Cholesky::inverse() const {
  const Index n = scale_.size();
  Matrix half = half_solve(Matrix::Identity(n, n));
  Matrix inverse = Matrix::Zero(n, n);
  inverse.selfadjointView<Eigen::Lower>().rankUpdate(half.transpose());
  return inverse.selfadjointView<Eigen::Lower>();
}

Vector Cholesky::inverse_diagonal() const {
  const Index n = scale_.size();
  return half_solve(Matrix::Identity(n, n)).colwise().squaredNorm().transpose();
}

double Cholesky::log_determinant() const {
  return 2 * (factor_.matrixLLT().diagonal().array().log().sum() + scale_.array().log().sum());
}

Matrix Cholesky::half_solve(const Matrix& b) const {
  return factor_.matrixL().solve(scale_.cwiseInverse().asDiagonal() * b);
}

}  // namespace ardent
