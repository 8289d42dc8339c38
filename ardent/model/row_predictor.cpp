// Sums run over basis functions side by side, not within one: the compiler and Eigen make vector
// code of that without changing the order of any sum, wherever the arrays lie.
#include "ardent/model/row_predictor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/model/block_prediction.h"

namespace ardent {
namespace {

using StackArray = Eigen::Map<Eigen::ArrayXd>;
using ConstStackArray = Eigen::Map<const Eigen::ArrayXd>;

/// From rows × columns to columns × rows, side by side.
std::vector<double> columns_of(const std::vector<double>& values, Index rows) {
  const Index cols = rows == 0 ? 0 : std::ssize(values) / rows;
  std::vector<double> result(values.size());
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) result[j * rows + i] = values[i * cols + j];
  }
  return result;
}

/// A packed lower triangle, row by row, as the same column by column.
std::vector<double> triangle_by_columns(const std::vector<double>& packed) {
  std::vector<double> result;
  result.reserve(packed.size());
  for (Index j = 0; std::ssize(result) < std::ssize(packed); ++j) {
    for (Index i = j; i * (i + 1) / 2 + j < std::ssize(packed); ++i) {
      result.push_back(packed[i * (i + 1) / 2 + j]);
    }
  }
  return result;
}

/// exp(−‖z − point‖²) of `count` points, given input by input.
void kernels_of(const double* z, Index inputs, const double* points, Index count, double* phi) {
  StackArray sums(phi, count);
  sums.setZero();
  for (Index k = 0; k < inputs; ++k) {
    sums += (z[k] - ConstStackArray(points + k * count, count)).square();
  }
  sums = -sums;
  elementary::exp_in_place(phi, count);
}

Index best_of(std::span<const double> p) {
  return std::max_element(p.begin(), p.end()) - p.begin();
}

void require_row(const RowModel& model, std::span<const double> row, Task task) {
  if (model.task != task) {
    throw InputError(fmt::format("the model is a {}", task_name(model.task)));
  }
  if (std::ssize(row) == model.features) return;
  throw InputError(fmt::format("the row has {} numbers, but the model was trained with {} features",
                               row.size(), model.features));
}

/// As dense rows have it (data/apply_scaling.cpp), but for the unit, which no finite square needs.
double row_length(std::span<const double> row, const std::vector<float>& factors) {
  double squares = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    const double x = row[k] * static_cast<double>(factors[k]);
    squares += x * x;
  }
  return squares > 0 ? std::sqrt(squares) : 1;
}

}  // namespace

RowPredictor::RowPredictor(RowModel model) : model_(std::move(model)) {
  by_input_ = columns_of(model_.points, model_.basis);
  const auto classes = std::ssize(model_.classes);
  scratch_ = model_.input_count() + model_.basis;
  Index more = classes + (model_.pairs ? 2 * classes * classes + classes : 0);
  if (model_.process) {
    rows_by_input_ = columns_of(model_.process->rows, model_.process->size);
    more = std::max(more, model_.process->size);
  }
  for (const RowPart& part : model_.parts) {
    covariances_.push_back(part.diagonal ? part.covariance : triangle_by_columns(part.covariance));
    more = std::max(more, classes * (classes + 1) + 2 * (std::ssize(part.active) + 1));
  }
  scratch_ += more;
}

void RowPredictor::scale_inputs(std::span<const double> row, double* z) const {
  const double length = model_.unit_rows() ? row_length(row, model_.every_factor) : 1;
  for (Index k = 0; k < model_.input_count(); ++k) {
    double value = row[model_.inputs[k]];
    if (std::isnan(value) && !model_.fill.empty()) value = model_.fill[k];
    if (!std::isfinite(value)) {
      throw InputError(
          fmt::format("column {} of the row is {}, which is no number that the model can use",
                      model_.inputs[k] + 1, value));
    }
    const double factor = model_.factor[k];
    z[k] = factor == 0 ? 0 : (value - model_.offset[k]) * factor / length;
  }
}

const double* RowPredictor::basis(std::span<const double> row, double* scratch) const {
  const Index inputs = model_.input_count(), count = model_.basis;
  scale_inputs(row, scratch);
  if (model_.map == RowMap::linear) return scratch;
  double* const phi = scratch + inputs;
  if (model_.map == RowMap::rbf) {
    kernels_of(scratch, inputs, by_input_.data(), count, phi);
    return phi;
  }
  StackArray sums(phi, count);
  sums = ConstStackArray(model_.point_biases.data(), count);
  for (Index k = 0; k < inputs; ++k) {
    sums += scratch[k] * ConstStackArray(by_input_.data() + k * count, count);
  }
  sums = -sums;
  elementary::exp_in_place(phi, count);
  sums = 1 / (1 + sums);
  return phi;
}

double RowPredictor::score(const RowPart& part, const double* phi) const {
  double f = part.bias;
  for (std::size_t k = 0; k < part.weights.size(); ++k) f += part.weights[k] * phi[part.active[k]];
  return f;
}

double RowPredictor::part_variance(const RowPart& part, const double* phi, double* sums) const {
  const std::vector<double>& covariance = covariances_[&part - model_.parts.data()];
  const auto m = std::ssize(part.active);
  const Index size = m + (part.has_bias ? 1 : 0);
  double* const own = sums + size;
  for (Index k = 0; k < m; ++k) own[k] = phi[part.active[k]];
  if (part.has_bias) own[m] = 1;
  double v = 0;
  if (part.diagonal) {
    for (Index k = 0; k < size; ++k) v += covariance[k] * own[k] * own[k];
    return v;
  }
  // Half of Σφ: the diagonal counts half, and each other element once.
  StackArray(sums, size).setZero();
  const double* column = covariance.data();
  for (Index j = 0; j < size; ++j) {
    sums[j] += 0.5 * column[0] * own[j];
    StackArray(sums + j + 1, size - j - 1) += own[j] * ConstStackArray(column + 1, size - j - 1);
    column += size - j;
  }
  for (Index k = 0; k < size; ++k) v += own[k] * sums[k];
  return std::max(0.0, 2 * v);
}

double RowPredictor::process_variance(const double* z, double mean, double* kernels) const {
  const RowProcess& process = *model_.process;
  kernels_of(z, model_.input_count(), rows_by_input_.data(), process.size, kernels);
  double v = process.amplitude, left = 1, squares = 0, sum = 0;
  const double* half = process.half.data();
  for (Index i = 0; i < process.size; ++i) {
    double h = 0;
    for (Index j = 0; j <= i; ++j) h += *half++ * kernels[j];
    v -= h * h;
    sum += kernels[i] * process.weights[i];
    if (process.ones.empty()) continue;
    left -= h * process.ones[i];
    squares += process.ones[i] * process.ones[i];
  }
  if (squares > 0) v += left * left / squares;
  const double off = process.bias + process.amplitude * sum - mean;
  return std::max(0.0, v) + off * off;
}

/// couple_pairs (combine.h) without its allocations. r: classes × classes, row by row.
void RowPredictor::combine_pairs(const double* r, double* p, double* scratch) const {
  constexpr double kLeast = 1e-7, kTolerance = 1e-12;
  constexpr int kMostCycles = 1000;
  const auto k = std::ssize(model_.classes);
  double* const q = scratch;
  StackArray qp(scratch + k * k, k), shares(p, k);
  const auto clipped = [&](Index i, Index j) {
    return std::clamp(r[i * k + j], kLeast, 1 - kLeast);
  };
  for (Index i = 0; i < k; ++i) {
    q[i * k + i] = 0;
    for (Index j = 0; j < k; ++j) {
      if (i == j) continue;
      q[i * k + i] += clipped(j, i) * clipped(j, i);
      q[i * k + j] = -clipped(j, i) * clipped(i, j);
    }
  }
  shares.setConstant(1 / static_cast<double>(k));
  for (int cycle = 0; cycle < kMostCycles; ++cycle) {
    qp.setZero();
    for (Index j = 0; j < k; ++j) qp += p[j] * ConstStackArray(q + j * k, k);
    double pqp = 0, worst = 0;
    for (Index i = 0; i < k; ++i) pqp += p[i] * qp[i];
    for (Index i = 0; i < k; ++i) worst = std::max(worst, std::abs(qp[i] - pqp));
    if (worst < kTolerance / static_cast<double>(k)) break;
    for (Index i = 0; i < k; ++i) {
      const double own = q[i * k + i], d = (pqp - qp[i]) / own;
      p[i] += d;
      pqp = (pqp + d * (d * own + 2 * qp[i])) / ((1 + d) * (1 + d));
      qp = (qp + d * ConstStackArray(q + i * k, k)) / (1 + d);
      shares /= 1 + d;
    }
  }
}

void RowPredictor::temper(double* p) const {
  constexpr double kLeast = 1e-12;
  const auto classes = std::ssize(model_.classes);
  double sum = 0;
  for (Index c = 0; c < classes; ++c) {
    p[c] = elementary::exp(elementary::log(std::max(p[c], kLeast)) / model_.temperature);
    sum += p[c];
  }
  for (Index c = 0; c < classes; ++c) p[c] /= sum;
}

Index RowPredictor::classify(std::span<const double> row, std::span<double> p,
                             double* scratch) const {
  require_row(model_, row, Task::classification);
  const double* const phi = basis(row, scratch);
  const auto classes = std::ssize(model_.classes);
  double* const r = scratch + model_.input_count() + model_.basis;
  double* const free = r + classes * classes;
  double sum = 0;
  std::ranges::fill(p, 0.0);
  for (const RowPart& part : model_.parts) {
    double f = score(part, phi);
    if (part.moderated) f = moderated_logit(f, part_variance(part, phi, free));
    const bernoulli::Shares shares = bernoulli::shares(f);
    if (classes == 2) {
      p[part.positive] = shares.y;
      p[1 - part.positive] = 1 - shares.y;
      return shares.y >= 0.5 ? part.positive : 1 - part.positive;
    }
    if (model_.pairs) {
      r[part.positive * classes + part.negative] = shares.y;
      r[part.negative * classes + part.positive] = 1 - shares.y;
    } else {
      p[part.positive] = shares.y;
      sum += shares.y;
    }
  }
  if (model_.pairs) {
    combine_pairs(r, p.data(), free);
  } else {
    for (double& each : p) each = sum > 0 ? each / sum : 1 / static_cast<double>(classes);
  }
  if (model_.temperature != 1) temper(p.data());
  return best_of(p);
}

double RowPredictor::mean(std::span<const double> row, double* scratch) const {
  require_row(model_, row, Task::regression);
  return score(model_.parts[0], basis(row, scratch));
}

double RowPredictor::variance(std::span<const double> row, double mean, double* scratch) const {
  const double* const phi = basis(row, scratch);
  double* const free = scratch + model_.input_count() + model_.basis;
  const double v = model_.process ? process_variance(scratch, mean, free)
                                  : part_variance(model_.parts[0], phi, free);
  return v + model_.noise_variance;
}

}  // namespace ardent
