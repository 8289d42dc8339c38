// Brute force for tiny problems: every mask, every integral by another way than the library's.
#pragma once

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "ardent/base/random.h"
#include "ardent/inference/doubly_sparse/collapsed_columns.h"
#include "ardent/inference/doubly_sparse/mask_prior.h"
#include "ardent/inference/doubly_sparse/problem.h"
#include "ardent/inference/evidence/bernoulli.h"

namespace ardent::doubly_sparse::brute_force {

/// Rows, and the first `candidates` of them as candidates; t depends on the first two features.
inline KernelProblem tiny_problem(Index rows, Index features, Index candidates,
                                  Likelihood likelihood, std::uint64_t seed) {
  Random random(seed);
  KernelProblem problem;
  problem.likelihood = likelihood;
  problem.rows.resize(rows, features);
  for (Index k = 0; k < features; ++k) {
    for (Index i = 0; i < rows; ++i) problem.rows(i, k) = random.normal();
  }
  problem.centres = problem.rows.topRows(candidates);
  problem.t.resize(rows);
  for (Index i = 0; i < rows; ++i) {
    const double f = 1.5 * problem.rows(i, 0) - 0.7 * problem.rows(i, features > 1 ? 1 : 0);
    problem.t[i] = likelihood == Likelihood::bernoulli
                       ? (random.uniform() < 1 / (1 + std::exp(-2 * f)) ? 1 : 0)
                       : f + 0.5 * random.normal();
  }
  return problem;
}

/// Bits of `code`, lowest first.
inline std::vector<std::uint8_t> mask_of(Index code, Index size) {
  std::vector<std::uint8_t> mask;
  for (Index k = 0; k < size; ++k) mask.push_back(static_cast<std::uint8_t>((code >> k) & 1));
  return mask;
}

/// Columns of the candidates in z, from scratch; with a bias, ones first. `scales`: see
/// KernelState.
inline Matrix kernel_columns(const KernelProblem& problem, const std::vector<std::uint8_t>& zeta,
                             const std::vector<std::uint8_t>& z, double delta, bool bias,
                             const Vector& scales = {}) {
  Matrix columns(problem.size(), 0);
  const auto append = [&](const Vector& column) {
    columns.conservativeResize(Eigen::NoChange, columns.cols() + 1);
    columns.col(columns.cols() - 1) = column;
  };
  if (bias) append(Vector::Ones(problem.size()));
  for (Index c = 0; c < problem.candidates(); ++c) {
    if (!z[c]) continue;
    Vector column(problem.size());
    for (Index i = 0; i < problem.size(); ++i) {
      double d = 0;
      for (Index k = 0; k < problem.features(); ++k) {
        const double difference = problem.rows(i, k) - problem.centres(c, k);
        if (zeta[k]) d += (scales.size() > 0 ? scales[k] : 1) * difference * difference;
      }
      column[i] = std::exp(-delta * d);
    }
    append(column);
  }
  return columns;
}

inline Vector precisions(Index columns, double xi, bool bias) {
  Vector precision = Vector::Constant(columns, xi);
  if (bias) precision[0] = kBiasPrecision;
  return precision;
}

/// log ∫ exp(κᵀf − ½ fᵀΩf) N(w | 0, P⁻¹) dw with f = Kw, in the space of the rows: with
/// S = K P⁻¹ Kᵀ, R = Ω^½ and B = I + R S R, −½ log|B| + ½ κᵀ(S − S R B⁻¹ R S)κ.
inline double collapsed_evidence(const Matrix& k, const Vector& precision, const Vector& omega,
                                 const Vector& kappa) {
  if (k.cols() == 0) return 0;
  const Matrix s = k * precision.cwiseInverse().asDiagonal() * k.transpose();
  const Vector root = omega.cwiseSqrt();
  const Matrix b = Matrix::Identity(k.rows(), k.rows()) +
                   Matrix(root.asDiagonal() * s) * Matrix(root.asDiagonal());
  const Eigen::LLT<Matrix> llt(b);
  const Vector prior = s * kappa;
  const Vector weighted = root.cwiseProduct(prior);
  return -llt.matrixLLT().diagonal().array().log().sum() +
         0.5 * (kappa.dot(prior) - weighted.dot(llt.solve(weighted)));
}

/// log N(t | 0, noise I + K P⁻¹ Kᵀ).
inline double gaussian_evidence(const Matrix& k, const Vector& precision, const Vector& t,
                                double noise) {
  Matrix covariance = noise * Matrix::Identity(k.rows(), k.rows());
  if (k.cols() > 0) covariance += k * precision.cwiseInverse().asDiagonal() * k.transpose();
  const Eigen::LLT<Matrix> llt(covariance);
  const Vector half = llt.matrixL().solve(t);
  return -0.5 * static_cast<double>(t.size()) * std::log(2 * std::numbers::pi) -
         Matrix(llt.matrixL()).diagonal().array().log().sum() - 0.5 * half.squaredNorm();
}

struct Nodes {
  Vector at, weight;
};

/// The trapezoidal rule for ∫ g(x) exp(−x²/2)/√(2π) dx. For smooth g its error falls like
/// exp(−2π²/step²), here below 1e-15; so do the tails beyond the last node.
inline Nodes normal_nodes() {
  constexpr double kStep = 0.7, kLast = 8.4;
  const Vector at = Vector::LinSpaced(25, -kLast, kLast);
  return {at, kStep / std::sqrt(2 * std::numbers::pi) * (-0.5 * at.array().square()).exp()};
}

/// log ∫ p(t | Kw) N(w | 0, P⁻¹) dw for the logistic likelihood: the nodes in every weight,
/// around the mode and scaled by the Hessian's inverse factor there. Rows count by `weights`.
inline double logistic_evidence(const Matrix& k, const Vector& precision, const Vector& t,
                                const Nodes& nodes, const Vector& weights = {}) {
  const Index m = k.cols();
  if (m == 0) return bernoulli::log_likelihood(t, Vector::Zero(t.size()), weights);
  const double prior_constant = 0.5 * precision.array().log().sum();
  Vector mode = Vector::Zero(m);
  Matrix hessian;
  for (int step = 0; step < 60; ++step) {
    Vector residual, curvature;
    bernoulli::derivatives(t, k * mode, residual, curvature, weights);
    hessian = Matrix(precision.asDiagonal()) + k.transpose() * curvature.asDiagonal() * k;
    mode += hessian.llt().solve(k.transpose() * residual - precision.cwiseProduct(mode));
  }
  Matrix inverse_factor = Matrix::Identity(m, m);  // L⁻ᵀ: w = mode + L⁻ᵀ x
  hessian.llt().matrixU().solveInPlace(inverse_factor);
  const auto log_joint = [&](const Vector& w) {
    return bernoulli::log_likelihood(t, k * w, weights) - 0.5 * w.dot(precision.cwiseProduct(w)) +
           prior_constant;
  };
  const double peak = log_joint(mode);
  double sum = 0;
  std::vector<Index> digit(m, 0);
  Vector x(m);
  while (true) {
    double weight = 1, square = 0;
    for (Index j = 0; j < m; ++j) {
      const Index d = digit[j];
      x[j] = nodes.at[d];
      weight *= nodes.weight[d];
      square += x[j] * x[j];
    }
    sum += weight * std::exp(log_joint(mode + inverse_factor * x) - peak + 0.5 * square);
    Index j = 0;
    while (j < m && ++digit[j] == nodes.at.size()) {
      digit[j++] = 0;
    }
    if (j == m) break;
  }
  return peak + std::log(sum) + std::log(std::abs(inverse_factor.diagonal().prod()));
}

/// Inclusion probabilities, features first, of unnormalised log probabilities of all pairs of
/// masks: log_probability(zeta, z).
inline Vector enumerate_inclusion(
    Index features, Index candidates,
    const std::function<double(const std::vector<std::uint8_t>&, const std::vector<std::uint8_t>&)>&
        log_probability) {
  Vector sums = Vector::Zero(features + candidates);
  double total = 0;
  for (Index a = 0; a < Index{1} << features; ++a) {
    for (Index b = 0; b < Index{1} << candidates; ++b) {
      const auto zeta = mask_of(a, features), z = mask_of(b, candidates);
      const double p = std::exp(log_probability(zeta, z));
      total += p;
      for (Index k = 0; k < features; ++k) sums[k] += zeta[k] ? p : 0;
      for (Index c = 0; c < candidates; ++c) {
        sums[features + c] += z[c] ? p : 0;
      }
    }
  }
  return sums / total;
}

inline Index count_on(const std::vector<std::uint8_t>& mask) {
  return std::count(mask.begin(), mask.end(), std::uint8_t{1});
}

/// Means of columns of draws with standard errors from 50 batch means.
struct ChainMeans {
  Vector mean, error;
};
inline ChainMeans batch_means(const Matrix& draws) {
  constexpr Index kBatches = 50;
  const Index length = draws.rows() / kBatches;
  Matrix batch(kBatches, draws.cols());
  for (Index b = 0; b < kBatches; ++b) {
    batch.row(b) = draws.middleRows(b * length, length).colwise().mean();
  }
  const Vector mean = batch.colwise().mean();
  const Vector variance = (batch.rowwise() - mean.transpose()).colwise().squaredNorm() /
                          static_cast<double>(kBatches - 1);
  return {mean, (variance / static_cast<double>(kBatches)).cwiseSqrt()};
}

/// The masks of a state as one row, features first.
inline void record(const KernelState& state, Matrix& draws, Index row) {
  const auto features = std::ssize(state.features);
  draws.row(row).setZero();
  for (Index k = 0; k < features; ++k) draws(row, k) = state.features[k];
  for (const Index c : state.basis) draws(row, features + c) = 1;
}

}  // namespace ardent::doubly_sparse::brute_force
