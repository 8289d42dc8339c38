#include "ardent/inference/doubly_sparse/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/inference/doubly_sparse/kernel_values.h"
#include "ardent/inference/doubly_sparse/masked_distances.h"
#include "ardent/inference/evidence/bernoulli.h"

namespace ardent::doubly_sparse {
namespace {

constexpr double kLargestValue = 1e120;
constexpr double kLeastSquare = 1e-300;  // of a distance; its inverse is a number still

void require_finite(const Matrix& values, const char* what) {
  for (Index k = 0; k < values.cols(); ++k) {
    for (Index i = 0; i < values.rows(); ++i) {
      if (std::abs(values(i, k)) <= kLargestValue) continue;
      if (std::isfinite(values(i, k))) {
        throw InputError(fmt::format(
            "{} {}, feature {} is {:g}, and squares of distances must be numbers: scale the "
            "features",
            what, i + 1, k + 1, values(i, k)));
      }
      throw InputError(fmt::format("{} {}, feature {} is {}: give finite numbers", what, i + 1,
                                   k + 1, values(i, k)));
    }
  }
}

}  // namespace

void validate(const KernelProblem& problem) {
  const Index n = problem.size(), d = problem.features();
  if (n == 0 || d == 0 || problem.candidates() == 0 || problem.centres.cols() != d ||
      problem.t.size() != n) {
    throw InputError(
        fmt::format("masks need rows, features, a target a row and candidates with the same "
                    "features: the rows are {} × {}, the candidates {} × {}, the targets {}",
                    n, d, problem.candidates(), problem.centres.cols(), problem.t.size()));
  }
  require_finite(problem.rows, "row");
  require_finite(problem.centres, "candidate");
  if (problem.weights.size() != 0 && problem.weights.size() != n) {
    throw InputError(
        fmt::format("there are {} row weights for {} rows", problem.weights.size(), n));
  }
  for (Index i = 0; i < n; ++i) {
    const double weight = problem.weight(i);
    if (!(weight > 0) || !std::isfinite(weight)) {
      throw InputError(
          fmt::format("the weight of row {} is {}, and must be above 0", i + 1, weight));
    }
    const double t = problem.t[i];
    if (!std::isfinite(t)) throw InputError(fmt::format("the target of row {} is {}", i + 1, t));
    if (problem.likelihood == Likelihood::bernoulli && t != 0 && t != 1) {
      throw InputError(
          fmt::format("a Bernoulli target must be 0 or 1, and that of row {} is {}", i + 1, t));
    }
  }
}

KernelProblem with_rows(const KernelProblem& problem, const std::vector<Index>& which) {
  KernelProblem few{problem.rows(which, Eigen::all), problem.centres, problem.t(which),
                    problem.likelihood};
  if (problem.weights.size() > 0) few.weights = problem.weights(which);
  return few;
}

double KernelProblem::total_weight() const {
  return weights.size() == 0 ? static_cast<double>(size()) : weights.sum();
}

Index KernelState::features_on() const {
  return std::count(features.begin(), features.end(), std::uint8_t{1});
}

double default_delta(const Matrix& rows) {
  constexpr Index kMost = 500;
  const Index n = std::min(kMost, rows.rows());
  std::vector<double> distances;
  distances.reserve(n * (n - 1) / 2);
  const auto chosen = [&](Index i) { return i * rows.rows() / n; };
  const Matrix points = [&] {
    Matrix transposed(rows.cols(), n);
    for (Index i = 0; i < n; ++i) transposed.col(i) = rows.row(chosen(i)).transpose();
    return transposed;
  }();
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) {
      distances.push_back((points.col(i) - points.col(j)).squaredNorm());
    }
  }
  if (distances.empty()) return 1;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle > kLeastSquare ? 1 / *middle : 1;
}

Vector predictor(const Matrix& rows, const Matrix& centres, const KernelState& state) {
  const std::vector<Index> on = indices_on(state.features);
  Vector f = Vector::Constant(rows.rows(), state.bias);
  Vector distance(rows.rows()), column(rows.rows());
  for (std::size_t j = 0; j < state.basis.size(); ++j) {
    masked_distance(rows, centres, state.basis[j], on, distance, 0, state.scales);
    kernel_values(state.delta, distance, column);
    f += state.alpha[j] * column;
  }
  return f;
}

double log_likelihood(const KernelProblem& problem, const Vector& f, double noise_variance) {
  if (problem.likelihood == Likelihood::bernoulli) {
    return bernoulli::log_likelihood(problem.t, f, problem.weights);
  }
  return -0.5 * problem.total_weight() * elementary::log(2 * std::numbers::pi * noise_variance) -
         0.5 * residual_square(problem, f) / noise_variance;
}

double residual_square(const KernelProblem& problem, const Vector& f) {
  if (problem.weights.size() == 0) return (problem.t - f).squaredNorm();
  return problem.weights.dot((problem.t - f).cwiseAbs2());
}

}  // namespace ardent::doubly_sparse
