// ℓ2-penalised logistic regression by plain Newton steps on dense matrices: something to compare
// with that shares no code with the library.
#pragma once

#include <Eigen/Cholesky>
#include <cmath>

#include "ardent/base/types.h"

namespace ardent::dense_ridge {

struct Solution {
  Vector w;
  double bias = 0;
};

/// Minimises −Σ c log p(t | Phi w + b) + ½α‖w‖²; no penalty on b, which is 0 without a bias.
inline Solution solve(const Matrix& phi, const Vector& t, const Vector& c, double alpha,
                      bool bias = true) {
  const Index n = phi.rows(), m = phi.cols(), size = m + (bias ? 1 : 0);
  Matrix x(n, size);
  x.leftCols(m) = phi;
  if (bias) x.col(m).setOnes();
  Vector penalty = Vector::Constant(size, alpha);
  if (bias) penalty[m] = 0;
  Vector w = Vector::Zero(size);
  const auto loss = [&](const Vector& at) {
    const Eigen::ArrayXd f = (2 * t.array() - 1) * (x * at).array();
    return (c.array() * (1 + (-f).exp()).log()).sum() + 0.5 * penalty.dot(at.cwiseAbs2());
  };
  for (int step = 0; step < 100; ++step) {
    const Eigen::ArrayXd y = 1 / (1 + (-(x * w).array()).exp());
    const Vector slope =
        x.transpose() * (c.array() * (t.array() - y)).matrix() - penalty.cwiseProduct(w);
    Matrix hessian = x.transpose() * (c.array() * y * (1 - y)).matrix().asDiagonal() * x;
    hessian.diagonal() += penalty;
    const Vector move = hessian.ldlt().solve(slope);
    double length = 1;
    while (length > 1e-6 && loss(w + length * move) > loss(w)) length /= 2;
    w += length * move;
    if (move.norm() < 1e-13 * (1 + w.norm())) break;
  }
  return {w.head(m), bias ? w[m] : 0};
}

}  // namespace ardent::dense_ridge
