#include "ardent/estimators/subset_fit.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ardent/base/index_range.h"
#include "ardent/inference/engines/exact.h"
#include "ardent/inference/evidence/subset_average.h"
#include "ardent/inference/row_counts.h"

namespace ardent {
namespace {

constexpr double kHalf = 0.5;  // of the probability: the median probability model
constexpr double kFewRowsEach = 20;
constexpr double kConstantShare = 1e-12;  // of a column's mean square: rounding

/// The columns that vary, about their means, in units of their standard deviations.
struct CentredColumns {
  Matrix z;
  std::vector<Index> columns;
  Vector mean, deviation;
};

CentredColumns centred(const Design& design, const Vector& counts) {
  CentredColumns result{design.columns(index_range(0, design.cols())), {}, {}, {}};
  const double rows = counts.sum();
  std::vector<double> means, deviations;
  for (Index k = 0; k < design.cols(); ++k) {
    auto z = result.z.col(k);
    const double mean = counts.dot(z) / rows, square = counts.dot(z.cwiseAbs2()) / rows;
    z.array() -= mean;
    const double variance = counts.dot(z.cwiseAbs2()) / rows;
    if (!(variance > kConstantShare * square)) continue;
    z /= std::sqrt(variance);
    result.columns.push_back(k);
    means.push_back(mean);
    deviations.push_back(std::sqrt(variance));
  }
  result.z = Matrix(result.z(Eigen::all, result.columns));
  result.mean = Eigen::Map<const Vector>(means.data(), std::ssize(means));
  result.deviation = Eigen::Map<const Vector>(deviations.data(), std::ssize(deviations));
  return result;
}

/// From weights of the columns as they are centred to those of the caller's, of the kept and the
/// bias.
Matrix to_callers_columns(const CentredColumns& columns, const std::vector<Index>& kept) {
  const Index m = std::ssize(kept);
  Matrix change = Matrix::Identity(m + 1, m + 1);
  for (Index j = 0; j < m; ++j) {
    const Index k = kept[static_cast<std::size_t>(j)];
    change(j, j) = 1 / columns.deviation[k];
    change(m, j) = -columns.mean[k] / columns.deviation[k];
  }
  return change;
}

Posterior posterior_of(const SubsetAverage& average, const CentredColumns& columns,
                       const std::vector<Index>& kept) {
  const Index m = std::ssize(kept);
  std::vector<Index> with_bias = kept;
  with_bias.push_back(columns.z.cols());
  const Matrix change = to_callers_columns(columns, kept);
  const Vector mean = change * Vector(average.mean(with_bias));
  Posterior posterior;
  posterior.mean = mean.head(m);
  posterior.has_bias = true;
  posterior.bias = mean[m];
  posterior.covariance =
      change * Matrix(average.covariance(with_bias, with_bias)) * change.transpose();
  posterior.variance = posterior.covariance.diagonal();
  posterior.noise_variance = average.noise_variance;
  posterior.alpha.resize(m);
  posterior.gamma.resize(m);
  const double noise = average.noise_variance > 0 ? average.noise_variance : 1;
  for (Index j = 0; j < m; ++j) {
    const Index k = kept[static_cast<std::size_t>(j)];
    const double deviation = columns.deviation[k];
    posterior.active.push_back(columns.columns[static_cast<std::size_t>(k)]);
    posterior.alpha[j] = deviation * deviation / (average.variance[k] * noise);
    posterior.gamma[j] = std::clamp(1 - posterior.alpha[j] * posterior.variance[j], 0.0, 1.0);
  }
  return posterior;
}

}  // namespace

bool can_ask_subsets(const Design& design, const Target& target, const EngineOptions& options) {
  const Index p = design.cols();
  return p >= 2 && p <= kMostSubsetColumns && options.bias && !design.share() &&
         row_count(target) <= kFewRowsEach * static_cast<double>(p);
}

std::optional<Posterior> fit_subsets(const Design& design, const Target& target,
                                     const EngineOptions& options) {
  const Vector counts = row_counts(target);
  const CentredColumns columns = centred(design, counts);
  const double mean = counts.dot(target.t) / counts.sum();
  const double squares = counts.dot((target.t.array() - mean).square().matrix());
  if (columns.columns.empty() || !(squares > 0)) return {};
  const SubsetAverage average = average_subsets({columns.z, target.likelihood, target.t, counts});
  std::vector<Index> kept;
  for (Index k = 0; k < columns.z.cols(); ++k) {
    if (average.inclusion[k] >= kHalf) kept.push_back(k);
  }
  if (kept.empty()) return {};
  Posterior posterior = posterior_of(average, columns, kept);
  posterior.log_evidence = bias_log_evidence(design, target, options) + average.log_gain;
  return posterior;
}

}  // namespace ardent
