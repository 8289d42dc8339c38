#include "ardent/estimators/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"

namespace ardent {
namespace {

/// Area under the ROC curve of score for truth, by the rank sum; nothing if one side is empty.
std::optional<double> area_under_roc(const std::vector<bool>& truth, const Vector& score) {
  const auto n = static_cast<std::size_t>(score.size());
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto at = [&](std::size_t i) { return score[i]; };
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return at(a) < at(b); });
  double rank_sum = 0, positives = 0;
  for (std::size_t i = 0; i < n;) {
    std::size_t j = i;
    while (j < n && at(order[j]) == at(order[i])) ++j;
    const double mean_rank = 0.5 * static_cast<double>(i + 1 + j);  // ranks i+1 … j
    for (; i < j; ++i) {
      if (truth[order[i]]) {
        rank_sum += mean_rank;
        ++positives;
      }
    }
  }
  const double negatives = static_cast<double>(n) - positives;
  if (positives == 0 || negatives == 0) return std::nullopt;
  return (rank_sum - positives * (positives + 1) / 2) / (positives * negatives);
}

double calibration_error(const std::vector<double>& confidence, const std::vector<bool>& correct) {
  constexpr int kBins = 10;
  double count[kBins] = {}, hits[kBins] = {}, sum[kBins] = {};
  for (std::size_t i = 0; i < confidence.size(); ++i) {
    const int b = std::min(kBins - 1, static_cast<int>(confidence[i] * kBins));
    count[b] += 1;
    hits[b] += correct[i] ? 1 : 0;
    sum[b] += confidence[i];
  }
  double error = 0;
  for (int b = 0; b < kBins; ++b) error += std::abs(hits[b] - sum[b]);
  return error / static_cast<double>(confidence.size());
}

double mean_of(const std::vector<double>& values) {
  return values.empty() ? 0
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              static_cast<double>(values.size());
}

}  // namespace

ClassificationMetrics classification_metrics(std::span<const std::uint32_t> truth,
                                             std::span<const std::uint32_t> predicted,
                                             const Matrix& probabilities, Index positive) {
  const std::size_t n = truth.size();
  const Index classes = probabilities.cols();
  if (n == 0) throw InputError("metrics need at least one row");
  if (predicted.size() != n || probabilities.rows() != static_cast<Index>(n)) {
    throw InputError(
        fmt::format("metrics: {} true labels, {} predictions, {} rows of probabilities", n,
                    predicted.size(), probabilities.rows()));
  }
  ClassificationMetrics m;
  m.confusion = Eigen::MatrixXi::Zero(classes, classes);
  std::vector<double> confidence(n);
  std::vector<bool> correct(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = static_cast<Index>(i);
    const Index t = truth[i], p = predicted[i];
    ++m.confusion(t, p);
    correct[i] = t == p;
    confidence[i] = probabilities(row, p);
    m.log_loss -= elementary::log(std::clamp(probabilities(row, t), 1e-15, 1.0));
    Vector error = probabilities.row(row);
    error[t] -= 1;
    m.brier += error.squaredNorm();
  }
  const double rows = static_cast<double>(n);
  m.accuracy = m.confusion.diagonal().sum() / rows;
  m.log_loss /= rows;
  m.brier /= rows;
  m.ece = calibration_error(confidence, correct);

  std::vector<double> recalls, f1s, aucs;
  for (Index c = 0; c < classes; ++c) {
    const double hits = m.confusion(c, c);
    const double actual = m.confusion.row(c).sum(), claimed = m.confusion.col(c).sum();
    const bool counts = classes != 2 || c == positive;
    if (actual > 0) recalls.push_back(hits / actual);
    if (!counts) continue;
    if (actual + claimed > 0) f1s.push_back(2 * hits / (actual + claimed));
    std::vector<bool> is_class(n);
    for (std::size_t i = 0; i < n; ++i) is_class[i] = static_cast<Index>(truth[i]) == c;
    if (const auto auc = area_under_roc(is_class, probabilities.col(c))) aucs.push_back(*auc);
  }
  m.balanced_accuracy = mean_of(recalls);
  m.f1 = mean_of(f1s);
  m.auc = aucs.empty() ? std::numeric_limits<double>::quiet_NaN() : mean_of(aucs);
  return m;
}

RegressionMetrics regression_metrics(std::span<const double> truth, const Vector& mean,
                                     const Vector& variance) {
  const auto n = std::ssize(truth);
  if (n == 0) throw InputError("metrics need at least one row");
  if (mean.size() != n || variance.size() != n) {
    throw InputError(fmt::format("metrics: {} true values, {} means, {} variances", n, mean.size(),
                                 variance.size()));
  }
  // A copy: Eigen sums memory of its own from the start, others' from an aligned address on.
  const Vector t = Eigen::Map<const Vector>(truth.data(), n);
  const Vector error = t - mean;
  const double rss = error.squaredNorm();
  const double tss = (t.array() - t.mean()).square().sum();
  RegressionMetrics m;
  m.rmse = std::sqrt(rss / static_cast<double>(n));
  m.mae = error.cwiseAbs().mean();
  m.r2 = tss > 0 ? 1 - rss / tss : (rss > 0 ? 0.0 : 1.0);
  const Vector v = variance.cwiseMax(1e-300);
  const double squares = (error.array().square() / v.array()).sum();
  m.nlpd = 0.5 * ((elementary::sum_of_logs(v) + squares) / static_cast<double>(n) +
                  elementary::log(2 * std::numbers::pi));
  return m;
}

}  // namespace ardent
