#include "ardent/model/augmented_variance.h"

#include <algorithm>
#include <cmath>

#include "ardent/maps/feature_arrays.h"
#include "ardent/maps/rbf.h"

namespace ardent {
namespace {

constexpr Index kMostWitnesses = 2000;
constexpr const char* kRowsName = "augmentation.rows";
constexpr const char* kCountsName = "augmentation.counts";

/// The variance of the target, each row as often as it counts.
double weighted_variance(const Vector& target, const Vector& weights) {
  const double count = weights.sum();
  const double mean = weights.dot(target) / count;
  return weights.dot((target.array() - mean).square().matrix()) / count;
}

Matrix posterior_columns(const FeatureMap& map, const Posterior& posterior, const Features& rows) {
  return map.values(rows)(Eigen::all, posterior.active);
}

}  // namespace

Vector AugmentedRows::extra_variance(const Posterior& posterior, const Matrix& kernels,
                                     const Matrix& phi_new) const {
  const Index m = phi.cols(), bias = posterior.has_bias ? 1 : 0;
  const Matrix weighted = precisions.asDiagonal() * kernels;
  Matrix p(m + bias, kernels.cols());
  p.topRows(m).noalias() = phi.transpose() * weighted;
  if (bias) p.row(m) = weighted.colwise().sum();
  // The lower triangle, as the model file keeps it: a loaded model predicts the same bits.
  const Matrix solved = posterior.covariance.selfadjointView<Eigen::Lower>() * p;
  Vector e = Vector::Ones(kernels.cols()) -
             phi_new.cwiseProduct(solved.topRows(m).transpose()).rowwise().sum();
  if (bias) e -= solved.row(m).transpose();
  const Vector s =
      kernels.cwiseProduct(weighted).colwise().sum() - p.cwiseProduct(solved).colwise().sum();
  return e.array().square() / (prior_precision + s.array().max(0.0));  // S ≥ 0 but for rounding
}

Augmentation::Augmentation(MapPointer kernels, Vector counts, double prior_variance,
                           const FeatureMap& map, const Posterior& posterior)
    : kernels_(std::move(kernels)),
      counts_(std::move(counts)),
      prior_variance_(prior_variance),
      rows_{posterior_columns(map, posterior, static_cast<const RbfMap&>(*kernels_).centres()),
            counts_ / posterior.noise_variance, 1 / prior_variance} {}

Vector Augmentation::extra_variance(const Posterior& posterior, const Features& scaled,
                                    const Matrix& phi) const {
  return rows_.extra_variance(posterior, kernels_->values(scaled).transpose(), phi);
}

void Augmentation::save(ArrayFileWriter& file) const {
  file.about["augmentation"] = prior_variance_;
  file.add(kCountsName, std::vector<double>(counts_.begin(), counts_.end()));
  add_centres(file, static_cast<const RbfMap&>(*kernels_).centres(), kRowsName);
}

std::shared_ptr<const Augmentation> Augmentation::load(const ArrayFile& file, const FeatureMap& map,
                                                       const Posterior& posterior, Index inputs) {
  if (!file.about().contains("augmentation")) return nullptr;
  const double variance = file.about().at("augmentation").get<double>();
  const auto counts = file.list<double>(kCountsName);
  const Features rows = read_centres(file, inputs, kRowsName);
  check_centres(rows, inputs);
  require_of_model(ardent::rows(rows) == std::ssize(counts),
                   "has {} training rows, but counts of {}", ardent::rows(rows), counts.size());
  require_of_model(std::isfinite(variance) && variance > 0 && all_finite(counts) &&
                       std::ranges::all_of(counts, [](double c) { return c >= 0; }),
                   "has training rows whose counts or whose variance are no such numbers");
  const auto* rbf = dynamic_cast<const RbfMap*>(&map);
  require_of_model(rbf && posterior.covariance.size() > 0 && posterior.noise_variance > 0,
                   "has training rows for a variance that is not its own");
  std::vector<Index> origin(counts.size());
  for (std::size_t i = 0; i < origin.size(); ++i) origin[i] = static_cast<Index>(i);
  return std::make_shared<Augmentation>(
      std::make_shared<RbfMap>(rows, rbf->sigma(), std::move(origin)),
      Eigen::Map<const Vector>(counts.data(), std::ssize(counts)), variance, map, posterior);
}

std::shared_ptr<const Augmentation> make_augmentation(const FeatureMap& map,
                                                      const Posterior& posterior,
                                                      const Features& scaled, const Vector& target,
                                                      const Vector& weights) {
  const auto* rbf = dynamic_cast<const RbfMap*>(&map);
  if (!rbf || posterior.covariance.size() == 0 || !(posterior.noise_variance > 0)) return nullptr;
  const Index count = rows(scaled), kept = std::min(count, kMostWitnesses);
  const Vector all = weights.size() > 0 ? weights : Vector(Vector::Ones(count));
  const double variance = weighted_variance(target, all);
  if (!(variance > 0)) return nullptr;
  std::vector<Index> which;
  for (Index i = 0; i < kept; ++i) which.push_back(i * count / kept);
  Vector counts = all(which);
  if (counts.sum() > 0) counts *= all.sum() / counts.sum();
  auto kernels = std::make_shared<RbfMap>(take_rows(scaled, which), rbf->sigma(), which);
  return std::make_shared<Augmentation>(std::move(kernels), std::move(counts), variance, map,
                                        posterior);
}

}  // namespace ardent
