#include "ardent/model/augmented_variance.h"

#include <algorithm>
#include <cmath>

#include "ardent/base/index_range.h"
#include "ardent/maps/feature_arrays.h"
#include "ardent/maps/rbf.h"

namespace ardent {
namespace {

constexpr Index kMostWitnesses = 1000;
constexpr const char* kRowsName = "augmentation.rows";
constexpr const char* kCountsName = "augmentation.counts";
constexpr const char* kWeightsName = "augmentation.weights";

const Features& witness_rows(const FeatureMap& kernels) {
  return static_cast<const RbfMap&>(kernels).centres();
}

/// Evenly spaced rows of positive weight.
std::vector<Index> witnesses(const Vector& weights) {
  std::vector<Index> present;
  for (Index i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0) present.push_back(i);
  }
  const auto count = std::ssize(present), kept = std::min<Index>(count, kMostWitnesses);
  std::vector<Index> which;
  for (Index i = 0; i < kept; ++i) which.push_back(present[i * count / kept]);
  return which;
}

Vector as_vector(const std::vector<double>& numbers) {
  return Eigen::Map<const Vector>(numbers.data(), std::ssize(numbers));
}

}  // namespace

Vector expected_square_error(const KernelProcess& process, const ProcessMean& mean,
                             double amplitude, const Matrix& kernels, const Vector& model_mean) {
  return process.variance(kernels) +
         (process_mean(mean, amplitude, kernels) - model_mean).cwiseAbs2();
}

Augmentation::Augmentation(MapPointer kernels, Vector counts, ProcessMean mean,
                           const ProcessPrior& prior)
    : kernels_(std::move(kernels)),
      counts_(std::move(counts)),
      mean_(std::move(mean)),
      prior_(prior),
      process_(kernels_->values(witness_rows(*kernels_)), counts_, prior) {}

const Features& Augmentation::training_rows() const {
  return witness_rows(*kernels_);
}

Vector Augmentation::variance(const Features& scaled, const Vector& model_mean) const {
  return expected_square_error(process_, mean_, prior_.amplitude,
                               kernels_->values(scaled).transpose(), model_mean);
}

void Augmentation::save(ContainerWriter& file) const {
  file.about["augmentation"] = {{"amplitude", prior_.amplitude}, {"bias", mean_.bias}};
  file.add(kCountsName, std::vector<double>(counts_.begin(), counts_.end()));
  file.add(kWeightsName, std::vector<double>(mean_.weights.begin(), mean_.weights.end()));
  add_centres(file, witness_rows(*kernels_), kRowsName);
}

std::shared_ptr<const Augmentation> Augmentation::load(const Container& file, const FeatureMap& map,
                                                       const Posterior& posterior, Index inputs) {
  if (!file.about().contains("augmentation")) return nullptr;
  const auto& about = file.about().at("augmentation");
  if (about.is_number()) return nullptr;  // of earlier files: the posterior's variance stands
  const auto amplitude = about.at("amplitude").get<double>();
  const auto bias = about.at("bias").get<double>();
  const auto counts = file.list<double>(kCountsName), weights = file.list<double>(kWeightsName);
  const Features rows = read_centres(file, inputs, kRowsName);
  check_centres(rows, inputs);
  require_of_model(ardent::rows(rows) == std::ssize(counts) && weights.size() == counts.size(),
                   "has {} training rows, but counts of {} and weights of {}", ardent::rows(rows),
                   counts.size(), weights.size());
  require_of_model(std::isfinite(amplitude) && amplitude > 0 && std::isfinite(bias) &&
                       all_finite(counts) && all_finite(weights) &&
                       std::ranges::all_of(counts, [](double c) { return c > 0; }),
                   "has training rows whose counts or whose variance are no such numbers");
  const auto* rbf = dynamic_cast<const RbfMap*>(&map);
  require_of_model(rbf && !counts.empty() && posterior.noise_variance > 0,
                   "has training rows for a variance that is not its own");
  return std::make_shared<Augmentation>(
      std::make_shared<RbfMap>(rows, rbf->sigma(), index_range(0, std::ssize(counts))),
      as_vector(counts), ProcessMean{as_vector(weights), bias},
      ProcessPrior{amplitude, posterior.noise_variance, posterior.has_bias});
}

std::shared_ptr<const Augmentation> make_augmentation(const FeatureMap& map,
                                                      const Posterior& posterior,
                                                      const Features& scaled, const Vector& target,
                                                      const Vector& weights) {
  const auto* rbf = dynamic_cast<const RbfMap*>(&map);
  const bool varies = target.minCoeff() < target.maxCoeff();
  if (!rbf || !varies || posterior.covariance.size() == 0 || !(posterior.noise_variance > 0)) {
    return nullptr;
  }
  const Vector all = weights.size() > 0 ? weights : Vector(Vector::Ones(rows(scaled)));
  const std::vector<Index> which = witnesses(all);
  Vector counts = all(which);
  counts *= all.sum() / counts.sum();
  const Vector t = target(which);
  auto kernels = std::make_shared<RbfMap>(take_rows(scaled, which), rbf->sigma(), which);
  const Matrix among = kernels->values(witness_rows(*kernels));
  const double noise = posterior.noise_variance;
  const ProcessPrior prior{best_amplitude(among, t, counts, noise, posterior.has_bias), noise,
                           posterior.has_bias};
  ProcessMean mean = KernelProcess(among, counts, prior).mean_given(t);
  return std::make_shared<Augmentation>(std::move(kernels), std::move(counts), std::move(mean),
                                        prior);
}

}  // namespace ardent
