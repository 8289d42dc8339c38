// Regression problems with a known origin.
#pragma once

#include "problems/classification.h"

namespace ardent::problems {

struct Regression {
  Matrix phi;
  Vector t;
  Vector w;
  double bias = 0;
};

/// Independent normal columns; the first `relevant` weigh 1, −1, 1 …; noise of that deviation.
inline Regression planted_regression(Index rows, Index cols, Index relevant, double noise,
                                     std::uint64_t seed, double bias = 2) {
  Random random(seed);
  Regression problem{normal_matrix(rows, cols, random), Vector(rows), Vector::Zero(cols), bias};
  for (Index k = 0; k < relevant; ++k) problem.w[k] = k % 2 == 0 ? 1 : -1;
  problem.t = (problem.phi * problem.w).array() + bias;
  for (Index i = 0; i < rows; ++i) problem.t[i] += noise * random.normal();
  return problem;
}

/// sin(x)/x on Gaussian kernel columns, the relevance vector machine's first example.
inline Regression sinc_regression(Index rows, double noise, std::uint64_t seed) {
  Random random(seed);
  Regression problem{Matrix(rows, rows), Vector(rows), Vector(), 0};
  const Vector x = Vector::LinSpaced(rows, -10, 10);
  for (Index i = 0; i < rows; ++i) {
    problem.t[i] = (x[i] == 0 ? 1 : std::sin(x[i]) / x[i]) + noise * random.normal();
    problem.phi.col(i) = (-(x.array() - x[i]).square() / 4).exp();
  }
  return problem;
}

}  // namespace ardent::problems
