#include "ardent/published/variational_logistic.h"

#include <fmt/format.h>

#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/linalg/symmetric_product.h"

namespace ardent::doubly_sparse {
namespace {

void check_shapes(const Matrix& columns, const Vector& t, const Vector& precision,
                  const Vector& rho, Index steps) {
  if (columns.rows() != t.size() || columns.cols() != precision.size() || rho.size() != t.size()) {
    throw InputError(fmt::format(
        "variational_logistic: the columns are {} × {}, but there are {} targets, {} precisions "
        "and {} rho",
        columns.rows(), columns.cols(), t.size(), precision.size(), rho.size()));
  }
  if (steps < 1) throw InputError(fmt::format("steps must be at least 1, not {}", steps));
}

/// S⁻¹, lower triangle.
Matrix precision_matrix(const Matrix& columns, const Vector& precision, const Vector& lambda) {
  Matrix q = precision.asDiagonal();
  add_weighted_gram(columns, 2 * lambda, q);
  return q;
}

double row_terms(const Vector& rho, const Vector& lambda) {
  double sum = 0;
  for (Index i = 0; i < rho.size(); ++i) {
    sum += lambda[i] * rho[i] * rho[i] - rho[i] / 2 - bernoulli::log1p_exp(-rho[i]);
  }
  return sum;
}

}  // namespace

double jaakkola_lambda(double rho) {
  const double r = std::abs(rho);
  if (r < 1e-4) return 0.125 - r * r / 96;
  return elementary::tanh(r / 2) / (4 * r);
}

VariationalPosterior variational_logistic(const Matrix& columns, const Vector& t,
                                          const Vector& precision, Vector rho, Index steps) {
  check_shapes(columns, t, precision, rho, steps);
  const bool empty = columns.cols() == 0;
  const Vector kappa = t.array() - 0.5;
  Vector v(0);
  if (!empty) v = columns.transpose() * kappa;
  VariationalPosterior posterior;
  posterior.bounds.resize(steps);
  for (Index step = 0; step < steps; ++step) {
    posterior.lambda = rho.unaryExpr([](double r) { return jaakkola_lambda(r); });
    double bound = row_terms(rho, posterior.lambda);
    if (empty) {
      rho.setZero();
    } else {
      posterior.factor.emplace(precision_matrix(columns, precision, posterior.lambda));
      posterior.mean = posterior.factor->solve(v);
      bound += 0.5 * (elementary::sum_of_logs(precision) - posterior.factor->log_determinant() +
                      posterior.mean.dot(v));
      const Vector variance =
          posterior.factor->half_solve(columns.transpose()).colwise().squaredNorm();
      rho = (variance.array() + (columns * posterior.mean).array().square()).sqrt();
    }
    posterior.bounds[step] = bound;
    const double slack = 1e-9 * (1 + std::abs(bound));
    if (step > 0 && bound < posterior.bounds[step - 1] - slack) {
      throw Error(fmt::format("variational_logistic: the bound fell from {} to {}",
                              posterior.bounds[step - 1], bound));
    }
  }
  posterior.rho = std::move(rho);
  return posterior;
}

Vector draw_weights(const VariationalPosterior& posterior, const Matrix& columns,
                    const Vector& precision, Random& random) {
  if (!posterior.factor) return Vector(0);
  Vector rows(columns.rows());
  for (Index i = 0; i < rows.size(); ++i) {
    rows[i] = std::sqrt(2 * posterior.lambda[i]) * random.normal();
  }
  Vector noise = columns.transpose() * rows;
  for (Index j = 0; j < noise.size(); ++j) noise[j] += std::sqrt(precision[j]) * random.normal();
  return posterior.mean + posterior.factor->solve(noise);
}

}  // namespace ardent::doubly_sparse
