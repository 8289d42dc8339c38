#include "ardent/estimators/candidates.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "ardent/data/repeated_rows.h"
#include "ardent/design/gaussian_kernel.h"
#include "ardent/design/hidden_layer.h"
#include "ardent/design/linear.h"

namespace ardent {
namespace {

bool all_rows(std::span<const Index> rows, const Features& features) {
  return static_cast<Index>(rows.size()) == ardent::rows(features);
}

Features take_rows(const Features& features, std::span<const Index> rows) {
  return all_rows(rows, features) ? features : select_rows(features, rows);
}

}  // namespace

Candidates::Candidates(Features scaled, const TrainOptions& options, SharedDistances* distances)
    : kind_(parse_map(options.map)), scaled_(std::move(scaled)), distances_(distances) {
  if (kind_ == MapKind::rbf) {
    first_copy_ = first_copies(scaled_);
    std::vector<Index> all(first_copy_.size());
    std::iota(all.begin(), all.end(), Index{0});
    if (first_copy_ == all) first_copy_.clear();
    sigma_ = options.sigma > 0 ? options.sigma : automatic_sigma(take_rows(scaled_, centres(all)));
  } else if (kind_ == MapKind::elm) {
    HiddenLayer layer = draw_hidden_layer(options.hidden, cols(scaled_), options.seed);
    hidden_weights_ = std::move(layer.weights);
    hidden_biases_ = std::move(layer.biases);
  }
}

std::unique_ptr<Design> Candidates::design(std::span<const Index> rows) const {
  switch (kind_) {
    case MapKind::rbf:
      return kernel_design(rows);
    case MapKind::elm:
      return hidden_layer_design(take_rows(scaled_, rows), hidden_weights_, hidden_biases_);
    case MapKind::linear:
    case MapKind::dictionary:     // see dictionary_training.h
    case MapKind::doubly_sparse:  // has no candidates of this kind: see doubly_sparse.h
      break;
  }
  return linear_design(take_rows(scaled_, rows));
}

std::unique_ptr<Design> Candidates::design(std::span<const Index> rows,
                                           std::span<const Index> of) const {
  if (kind_ != MapKind::rbf) return design(rows);
  return gaussian_kernel_design(take_rows(scaled_, rows), take_rows(scaled_, centres(of)), sigma_);
}

std::unique_ptr<Design> Candidates::kernel_design(std::span<const Index> rows) const {
  if (distances_) {
    if (auto shared = distances_->among(rows, scaled_)) {
      auto design = gaussian_kernel_design(std::move(shared), sigma_);
      if (!first_copy_.empty()) design->keep(distinct(rows));
      return design;
    }
  }
  return gaussian_kernel_design(take_rows(scaled_, rows), take_rows(scaled_, centres(rows)),
                                sigma_);
}

std::vector<Index> Candidates::distinct(std::span<const Index> rows) const {
  std::vector<Index> positions;
  std::set<Index> seen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool copy =
        !first_copy_.empty() && !seen.insert(first_copy_[static_cast<std::size_t>(rows[i])]).second;
    if (!copy) positions.push_back(static_cast<Index>(i));
  }
  return positions;
}

std::vector<Index> Candidates::centres(std::span<const Index> rows) const {
  std::vector<Index> chosen;
  for (const Index position : distinct(rows)) {
    chosen.push_back(rows[static_cast<std::size_t>(position)]);
  }
  return chosen;
}

Basis Candidates::basis(std::span<const Index> kept) const {
  Basis basis;
  basis.kind = kind_;
  basis.origin.assign(kept.begin(), kept.end());
  if (kind_ == MapKind::rbf) {
    basis.sigma = sigma_;
    basis.centres = select_rows(scaled_, kept);
  } else if (kind_ == MapKind::elm) {
    basis.hidden_weights = std::get<DenseRows>(select_rows(Features(hidden_weights_), kept));
    for (const Index k : kept) {
      basis.hidden_biases.push_back(hidden_biases_[static_cast<std::size_t>(k)]);
    }
  }
  return basis;
}

Index Candidates::size() const {
  switch (kind_) {
    case MapKind::rbf:
      return rows(scaled_);
    case MapKind::elm:
      return hidden_weights_.rows;
    case MapKind::linear:
    case MapKind::dictionary:     // see dictionary_training.h
    case MapKind::doubly_sparse:  // has no candidates of this kind: see doubly_sparse.h
      break;
  }
  return cols(scaled_);
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

}  // namespace ardent
