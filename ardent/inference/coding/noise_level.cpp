#include "ardent/inference/coding/noise_level.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "ardent/base/elementary.h"

namespace ardent {
namespace {

constexpr int kRounds = 3;

/// ‖y − Φ_S θ_LS‖²/(N − rank Φ_S); `before` where the code leaves no degree of freedom.
double residual_variance(const CodingTask& task, const SparseCode& code, double before) {
  const Dictionary& dictionary = task.rows.dictionary();
  const Index rows = dictionary.rows();
  Matrix columns(rows, std::ssize(code.active));
  for (std::size_t k = 0; k < code.active.size(); ++k) {
    Vector column = Vector::Zero(rows);
    dictionary.add_scaled(code.active[k], 1, column);
    columns.col(k) = column / dictionary.norms()[code.active[k]];
  }
  if (columns.cols() == 0) return task.signal.squaredNorm() / static_cast<double>(rows);
  const Eigen::ColPivHouseholderQR<Matrix> qr(columns);
  const Index left = rows - qr.rank();
  if (left < 1) return before;
  const double square = (task.signal - columns * qr.solve(task.signal)).squaredNorm();
  // A perfect fit says nothing about noise below the rounding of the signal.
  const double least = 1e-14 * task.signal.squaredNorm() / static_cast<double>(rows);
  return std::max(least, square / static_cast<double>(left));
}

double noise_factor(const CodingTask& task, const CodeOptions& options) {
  const auto n = static_cast<double>(task.rho.size());
  return options.noise_factor > 0 ? options.noise_factor : std::max(1.0, 2 * elementary::log(n));
}

double mean_square(const CodingTask& task) {
  return task.signal.squaredNorm() / static_cast<double>(task.signal.size());
}

}  // namespace

double first_automatic_lambda(const CodingTask& task, const CodeOptions& options) {
  return noise_factor(task, options) * mean_square(task);
}

double automatic_lambda(const CodingTask& task, const CodeOptions& options) {
  const double factor = noise_factor(task, options);
  double v = mean_square(task);
  SparseCode code;
  for (int round = 0; round < kRounds; ++round) {
    code = code_at(task, factor * v, options, code).code;
    v = residual_variance(task, code, v);
  }
  return factor * v;
}

}  // namespace ardent
