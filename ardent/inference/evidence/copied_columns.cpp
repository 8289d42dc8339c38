#include "ardent/inference/evidence/copied_columns.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ardent/base/random.h"

namespace ardent {
namespace {

/// A column of a fit, and which of its weights it has a share of.
struct Share {
  Index column, weight;
  double count;  // of the columns that have a share
};

/// A number per column that copies have in common, but for rounding, and hardly any others: the
/// product with random numbers. 0 of a column of zeros.
Vector fingerprints(const Design& design) {
  Random random(0);
  Vector numbers(design.rows()), products;
  for (double& one : numbers) one = random.uniform(0.5, 1.5) * (random.bits() % 2 == 0 ? 1 : -1);
  design.multiply_transposed(numbers, products);
  return products;
}

bool are_copies(const Design& design, Index a, Index b) {
  const Matrix both = design.columns(std::vector<Index>{a, b});
  return (both.col(0).array() == both.col(1).array()).all();
}

std::vector<Share> shares_of(const std::vector<Index>& active,
                             const std::vector<std::vector<Index>>& groups) {
  std::vector<Share> shares;
  for (std::size_t k = 0; k < active.size(); ++k) {
    const std::vector<Index>& group = groups[active[k]];
    for (const Index column : group) {
      shares.push_back({column, static_cast<Index>(k), static_cast<double>(group.size())});
    }
  }
  std::ranges::sort(shares, {}, &Share::column);
  return shares;
}

}  // namespace

CopiedColumns::CopiedColumns(const Design& design) : columns_(design.cols()) {
  constexpr double kRounding = 1e-10;
  Vector prints = fingerprints(design);
  if (!prints.allFinite()) prints.setZero();  // the engine says what is wrong with the design
  std::vector<Index> order(columns_);
  for (Index k = 0; k < columns_; ++k) order[k] = k;
  std::ranges::stable_sort(order, {}, [&](Index k) { return prints[k]; });
  std::vector<std::size_t> group_of;  // of the columns in this order
  for (std::size_t p = 0; p < order.size(); ++p) {
    const double print = prints[order[p]];
    bool is_copy = false;
    for (std::size_t q = p; q-- > 0 && print != 0 && !is_copy;) {
      if (!(std::abs(print - prints[order[q]]) <= kRounding * std::abs(print))) break;
      is_copy = are_copies(design, order[p], order[q]);
      if (is_copy) group_of.push_back(group_of[q]);
    }
    if (!is_copy) {
      group_of.push_back(groups_.size());
      groups_.emplace_back();
    }
    groups_[group_of.back()].push_back(order[p]);
  }
  for (std::vector<Index>& group : groups_) std::ranges::sort(group);
  std::ranges::sort(groups_);
}

std::shared_ptr<const StartingPoint> CopiedColumns::without_copies(
    const StartingPoint& start) const {
  StartingPoint reduced{{}, {}, {}, start.bias, start.noise_variance};
  std::vector<double> alpha, mean;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    double variance = 0, sum = 0;
    for (const Index column : groups_[g]) {
      const auto place = std::ranges::lower_bound(start.active, column);
      if (place == start.active.end() || *place != column) continue;
      const Index k = place - start.active.begin();
      variance += 1 / start.alpha[k];
      sum += start.mean[k];
    }
    if (variance == 0) continue;
    reduced.active.push_back(static_cast<Index>(g));
    alpha.push_back(1 / variance);
    mean.push_back(sum);
  }
  reduced.alpha = Eigen::Map<const Vector>(alpha.data(), std::ssize(alpha));
  reduced.mean = Eigen::Map<const Vector>(mean.data(), std::ssize(mean));
  return std::make_shared<const StartingPoint>(std::move(reduced));
}

Posterior CopiedColumns::shared_equally(const Posterior& found) const {
  const std::vector<Share> shares = shares_of(found.active, groups_);
  const Index m = std::ssize(shares), old = found.mean.size(), bias = found.has_bias ? 1 : 0;
  // What the differences between copies vary by, from the prior alone.
  const auto apart = [&](const Share& a, const Share& b) {
    if (a.weight != b.weight) return 0.0;
    const double same = a.column == b.column ? 1 : 0;
    return (same - 1 / a.count) / (a.count * found.alpha[a.weight]);
  };
  Posterior all = found;
  all.active.clear();
  for (Vector* of_weight : {&all.mean, &all.alpha, &all.gamma}) of_weight->resize(m);
  all.variance.resize(m + bias);
  const bool whole = found.covariance.size() > 0;
  if (whole) all.covariance.resize(m + bias, m + bias);
  for (Index i = 0; i < m; ++i) {
    const Share& one = shares[i];
    const Index k = one.weight;
    all.active.push_back(one.column);
    all.mean[i] = found.mean[k] / one.count;
    all.alpha[i] = found.alpha[k] * one.count;
    all.gamma[i] = found.gamma[k] / one.count;
    all.variance[i] = found.variance[k] / (one.count * one.count) + apart(one, one);
    for (Index j = 0; whole && j < m; ++j) {
      const Share& other = shares[j];
      all.covariance(i, j) =
          found.covariance(k, other.weight) / (one.count * other.count) + apart(one, other);
    }
    if (whole && bias) {
      all.covariance(i, m) = all.covariance(m, i) = found.covariance(k, old) / one.count;
    }
  }
  if (bias) all.variance[m] = found.variance[old];
  if (whole && bias) all.covariance(m, m) = found.covariance(old, old);
  return all;
}

PathPoint CopiedColumns::shared_equally(const PathPoint& point) const {
  const std::vector<Share> shares = shares_of(point.active, groups_);
  PathPoint all{{}, Vector(std::ssize(shares)), point.bias};
  for (const Share& one : shares) {
    all.mean[std::ssize(all.active)] = point.mean[one.weight] / one.count;
    all.active.push_back(one.column);
  }
  return all;
}

Fit CopiedColumns::fit(Engine engine, const Design& design, const Target& target,
                       const EngineOptions& options, const ProgressCallback& progress) const {
  std::vector<Index> first;
  for (const std::vector<Index>& group : groups_) first.push_back(group.front());
  auto different = design.clone();
  different->keep(first);
  EngineOptions reduced = options;
  if (options.starting_point) reduced.starting_point = without_copies(*options.starting_point);
  Fit fit = engine(*different, target, reduced, progress);
  fit.posterior = shared_equally(fit.posterior);
  for (PathPoint& point : fit.report.path) point = shared_equally(point);
  return fit;
}

}  // namespace ardent
