#include "ardent/inference/coding/noise_level.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "ardent/base/elementary.h"

namespace ardent {
namespace {

double mean_square(const CodingTask& task) {
  return task.signal.squaredNorm() / static_cast<double>(task.signal.size());
}

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
  if (columns.cols() == 0) return mean_square(task);
  const Eigen::ColPivHouseholderQR<Matrix> qr(columns);
  const double square = (task.signal - columns * qr.solve(task.signal)).squaredNorm();
  return noise_variance(square, qr.rank(), rows, task.signal.squaredNorm(), before);
}

}  // namespace

double noise_factor(Index atoms, const CodeOptions& options) {
  if (options.noise_factor > 0) return options.noise_factor;
  return std::max(1.0, 2 * elementary::log(static_cast<double>(atoms)));
}

double noise_variance(double residual_square, Index rank, Index length, double signal_square,
                      double before) {
  const Index left = length - rank;
  if (left < 1) return before;
  // A perfect fit says nothing about noise below the rounding of the signal.
  const double least = 1e-14 * signal_square / static_cast<double>(length);
  return std::max(least, residual_square / static_cast<double>(left));
}

double first_automatic_lambda(const CodingTask& task, const CodeOptions& options) {
  return noise_factor(task.rho.size(), options) * mean_square(task);
}

double automatic_lambda(const CodingTask& task, const CodeOptions& options) {
  const double factor = noise_factor(task.rho.size(), options);
  double v = mean_square(task);
  SparseCode code;
  for (int round = 0; round < kNoiseRounds; ++round) {
    code = code_at(task, factor * v, options, code).code;
    v = residual_variance(task, code, v);
  }
  return factor * v;
}

}  // namespace ardent
