#include "ardent/maps/rbf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/data/repeated_rows.h"
#include "ardent/maps/feature_arrays.h"
#include "ardent/maps/linear.h"
#include "ardent/maps/shared_distances.h"

namespace ardent {
namespace {

/// Turns squared distances into phi. Results that would be subnormal are 0: they slow every
/// product.
void exponentiate(Eigen::Ref<Matrix> block, double sigma) {
  constexpr double kLeast = 1e-300;
  for (Index i = 0; i < block.cols(); ++i) {
    auto column = block.col(i).array();
    column = -column / sigma / sigma;  // σ² itself could underflow
    double* phi = block.col(i).data();
    elementary::exp_in_place(phi, block.rows());
    for (Index k = 0; k < block.rows(); ++k) phi[k] = phi[k] < kLeast ? 0 : phi[k];
  }
}

class KernelRows : public RowSource {
 public:
  KernelRows(std::shared_ptr<const RowSource> distances, double sigma)
      : RowSource(distances->rows(), distances->cols()),
        distances_(std::move(distances)),
        sigma_(sigma) {}

  void fill(Index begin, Index end, Eigen::Ref<Matrix> block) const override {
    distances_->fill(begin, end, block);
    exponentiate(block, sigma_);
  }

  std::shared_ptr<const RowSource> select(std::span<const Index> which) const override {
    return std::make_shared<KernelRows>(distances_->select(which), sigma_);
  }

  std::optional<SourcePoints> points(double most_bytes) const override {
    auto points = distances_->points(most_bytes);
    if (points) points->sigma = sigma_;
    return points;
  }

 private:
  std::shared_ptr<const RowSource> distances_;
  double sigma_;
};

}  // namespace

std::unique_ptr<Design> gaussian_kernel_design(std::shared_ptr<const RowSource> distances,
                                               double sigma, std::size_t memory_limit) {
  if (!(sigma > 0) || !std::isfinite(sigma)) {
    throw InputError(
        fmt::format("sigma is {}, but a kernel width must be positive and finite", sigma));
  }
  return make_design(std::make_shared<KernelRows>(std::move(distances), sigma), memory_limit);
}

std::unique_ptr<Design> gaussian_kernel_design(const Features& rows, const Features& centres,
                                               double sigma, std::size_t memory_limit) {
  return gaussian_kernel_design(squared_distances(rows, centres), sigma, memory_limit);
}

double automatic_sigma(const Features& features) {
  constexpr Index kSample = 1000;
  const Index count = rows(features);
  std::vector<Index> sample;
  for (Index i = 0; i < std::min(count, kSample); ++i) {
    sample.push_back(i * count / std::min(count, kSample));
  }
  // ‖x − z‖² = ‖x‖² + ‖z‖² − 2xᵀz: the digits this loses do not matter to a median.
  Matrix products;
  linear_design(select_rows(features, sample))
      ->weighted_outer(Vector::Ones(cols(features)), products);
  std::vector<double> squared;
  for (Index j = 0; j < products.cols(); ++j) {
    for (Index i = j + 1; i < products.rows(); ++i) {
      squared.push_back(products(i, i) + products(j, j) - 2 * products(i, j));
    }
  }
  if (squared.empty()) return 1;
  const auto middle = squared.begin() + static_cast<std::ptrdiff_t>(squared.size() / 2);
  std::nth_element(squared.begin(), middle, squared.end());
  return *middle > 0 ? 2 * std::sqrt(*middle) : 1;
}

MapPointer RbfMap::build(const MapRows& rows, const MapOptions& options) {
  const std::vector<Index> all = index_range(0, ardent::rows(rows.scaled));
  auto map = std::make_shared<RbfMap>(rows.scaled, options.sigma, rows.rows);
  map->distances_ = rows.distances;
  map->first_copy_ = first_copies(rows.scaled);
  if (map->first_copy_ == all) map->first_copy_.clear();
  map->most_ = options.centres;
  const bool many = options.centres > 0 && ardent::rows(rows.scaled) > options.centres;
  if (many) map->ranks_ = content_ranks(rows.scaled);
  if (options.sigma <= 0) {
    std::vector<Index> distinct = all;
    std::erase_if(distinct, [&](Index i) { return map->is_copy(i); });
    map->sigma_ = automatic_sigma(take_rows(rows.scaled, distinct));
  }
  return map;
}

MapPointer RbfMap::load(const Container& file, std::vector<Index> origin, Index inputs) {
  const auto sigma = file.array<double>("basis.sigma");
  if (sigma.size() != 1) file.refuse("it has no single kernel width");
  return std::make_shared<RbfMap>(read_centres(file, inputs), sigma[0], std::move(origin));
}

MapPointer RbfMap::restricted(std::span<const Index> kept) const {
  return std::make_shared<RbfMap>(take_rows(centres_, kept), sigma_, origin_of(kept));
}

std::vector<Index> RbfMap::chosen(std::span<const Index> rows) const {
  std::vector<Index> positions;
  std::set<Index> seen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool copy = !first_copy_.empty() && !seen.insert(first_copy_[rows[i]]).second;
    if (!copy) positions.push_back(i);
  }
  const auto count = std::ssize(positions);
  if (most_ == 0 || count <= most_) return positions;
  std::ranges::sort(positions, {}, [&](Index i) { return ranks_[rows[i]]; });
  std::vector<Index> spread;
  for (Index k = 0; k < most_; ++k) spread.push_back(positions[k * count / most_]);
  std::ranges::sort(spread);
  return spread;
}

std::vector<Index> RbfMap::candidates(std::span<const Index> rows) const {
  std::vector<Index> candidates = chosen(rows);
  for (Index& position : candidates) position = rows[position];
  return candidates;
}

std::unique_ptr<Design> RbfMap::training_design(const Features& scaled,
                                                std::span<const Index> rows) const {
  const bool few = most_ == 0 || std::ssize(rows) <= most_;
  auto shared = distances_ && few ? distances_->among(rows, scaled) : nullptr;
  if (!shared) return FeatureMap::training_design(scaled, rows);
  auto design = gaussian_kernel_design(std::move(shared), sigma_);
  if (!first_copy_.empty()) design->keep(chosen(rows));
  return design;
}

std::unique_ptr<Design> RbfMap::design_for_device(const Features& scaled,
                                                  std::span<const Index> rows) const {
  constexpr std::size_t kNotInMemory = 0;
  const auto& centres = static_cast<const RbfMap&>(*restricted(candidates(rows)));
  return gaussian_kernel_design(take_rows(scaled, rows), centres.centres_, sigma_, kNotInMemory);
}

void RbfMap::save(ContainerWriter& file) const {
  file.add("basis.sigma", std::vector<double>{sigma_});
  add_centres(file, centres_);
}

void RbfMap::check(Index inputs) const {
  require_of_model(std::isfinite(sigma_) && sigma_ > 0, "has the kernel width {}", sigma_);
  check_centres(centres_, inputs);
  check_origin(origin(), rows(centres_));
}

}  // namespace ardent
