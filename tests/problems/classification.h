// Classification problems with a known origin, t in {0, 1}.
#pragma once

#include <cmath>

#include "ardent/base/random.h"
#include "ardent/base/types.h"

namespace ardent::problems {

struct Classification {
  Matrix phi;
  Vector t;
  Vector w;  // what generated t
  double bias = 0;
};

inline Matrix normal_matrix(Index rows, Index cols, Random& random) {
  Matrix matrix(rows, cols);
  for (Index k = 0; k < cols; ++k) {
    for (Index i = 0; i < rows; ++i) matrix(i, k) = random.normal();
  }
  return matrix;
}

/// Independent normal columns; the first `relevant` weigh ±strength, the others nothing.
inline Classification planted_classification(Index rows, Index cols, Index relevant,
                                             double strength, std::uint64_t seed,
                                             double bias = 0.3) {
  Random random(seed);
  Classification problem{normal_matrix(rows, cols, random), Vector(rows), Vector::Zero(cols), bias};
  for (Index k = 0; k < relevant; ++k) problem.w[k] = k % 2 == 0 ? strength : -strength;
  const Vector f = (problem.phi * problem.w).array() + bias;
  for (Index i = 0; i < rows; ++i) {
    problem.t[i] = random.uniform() < 1 / (1 + std::exp(-f[i])) ? 1 : 0;
  }
  return problem;
}

/// Labels that a hyperplane separates without error.
inline Classification separable_classification(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  Classification problem{normal_matrix(rows, cols, random), Vector(rows), Vector::Zero(cols), 0};
  problem.w[0] = 1;
  if (cols > 1) problem.w[1] = -0.5;
  problem.t = ((problem.phi * problem.w).array() > 0).cast<double>();
  problem.t[0] = 1 - problem.t[1];
  problem.phi.row(0) = -problem.phi.row(1);
  return problem;
}

/// Gaussian kernel columns on the training points of two noisy clouds: nearly collinear.
inline Classification kernel_classification(Index rows, double sigma, std::uint64_t seed) {
  Random random(seed);
  Matrix x(rows, 2);
  Classification problem{Matrix(rows, rows), Vector(rows), Vector(), 0};
  for (Index i = 0; i < rows; ++i) {
    problem.t[i] = static_cast<double>(i % 2);
    x(i, 0) = (problem.t[i] - 0.5) * 1.5 + random.normal() * 0.6;
    x(i, 1) = random.normal() * 0.6;
  }
  for (Index k = 0; k < rows; ++k) {
    problem.phi.col(k) =
        (-(x.rowwise() - x.row(k)).rowwise().squaredNorm().array() / (sigma * sigma)).exp();
  }
  return problem;
}

}  // namespace ardent::problems
