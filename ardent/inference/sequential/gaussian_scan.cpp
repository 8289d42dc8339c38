#include "ardent/inference/sequential/gaussian_scan.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "ardent/base/parallel.h"
#include "ardent/inference/evidence/primal_space.h"
#include "ardent/linalg/cholesky.h"

namespace ardent {
namespace {

constexpr Index kBasisBlock = 512;
constexpr std::size_t kRemembered = 8;
constexpr Index kUpdatesInARow = 50;   // until S and Q are computed from scratch
constexpr double kSafeDivisor = 1e-3;  // a smaller 1 + δS would lose digits

/// Where `basis` is in the ascending `active`; −1 if it is not.
Index position_of(Index basis, std::span<const Index> active) {
  const auto found = std::lower_bound(active.begin(), active.end(), basis);
  return found != active.end() && *found == basis ? found - active.begin() : -1;
}

double prior_variance(Index basis, std::span<const Index> active, const Vector& alpha) {
  const Index position = position_of(basis, active);
  return position < 0 ? 0.0 : 1 / alpha[position];
}

Cholesky posterior_factor(const EvidenceState& state) {
  const ActiveProblem& problem = state.problem;
  const double precision = 1 / state.precisions.noise_variance;
  if (!problem.unit_gram) {
    return Cholesky(bordered_hessian(*problem.phi, precision * problem.row_weights, *state.prior));
  }
  Matrix hessian = precision * *problem.unit_gram;
  const Index m = problem.active();
  for (Index k = 0; k < m; ++k) hessian(k, k) += state.precisions.alpha[k];
  if (state.prior->bias) hessian(m, m) += state.prior->bias_precision;
  return Cholesky(hessian);
}

/// (w, b)
Vector bordered_weights(const EvidenceState& state) {
  Vector w = state.w;
  if (state.prior->bias) {
    w.conservativeResize(w.size() + 1);
    w[w.size() - 1] = state.mode.predictor.bias;
  }
  return w;
}

}  // namespace

GaussianScan::GaussianScan(const ActiveProblem& candidates) : candidates_(candidates) {
  const Vector& row_weights = candidates.row_weights;
  candidates.phi->weighted_square_norms(row_weights, square_norms_);
  candidates.phi->multiply_transposed(row_weights.cwiseProduct(candidates.t), target_products_);
  candidates.phi->multiply_transposed(row_weights, bias_products_);
}

BasisStatistics GaussianScan::scan(const EvidenceState& state, std::span<const Index> active) {
  const auto change = single_change(state, active);
  const bool updated = change && update(*change);  // with the factor of the last scan
  follow(state, active);
  if (!updated) compute(state);
  BasisStatistics statistics = total_;
  finish_statistics(state, active, square_norms_ / state.precisions.noise_variance, statistics);
  return statistics;
}

std::optional<GaussianScan::Change> GaussianScan::single_change(
    const EvidenceState& state, std::span<const Index> active) const {
  if (!factor_ || updates_ >= kUpdatesInARow ||
      precisions_.noise_variance != state.precisions.noise_variance) {
    return std::nullopt;
  }
  std::vector<Index> either;
  std::set_union(active_.begin(), active_.end(), active.begin(), active.end(),
                 std::back_inserter(either));
  std::optional<Change> change;
  for (const Index basis : either) {
    const double difference = prior_variance(basis, active, state.precisions.alpha) -
                              prior_variance(basis, active_, precisions_.alpha);
    if (difference == 0) continue;
    if (change) return std::nullopt;
    change = Change{basis, difference};
  }
  return change;
}

bool GaussianScan::update(const Change& change) {
  const double divisor = 1 + change.variance * total_.s[change.basis];
  if (!(divisor > kSafeDivisor)) return false;
  const double precision = 1 / precisions_.noise_variance;
  const Vector with_active = precision * products_.row(change.basis).transpose();
  const Vector c =
      precision * (products_with(change.basis) - products_ * factor_->solve(with_active));
  const double kappa = change.variance / divisor;
  total_.q -= kappa * total_.q[change.basis] * c;
  total_.s.array() -= kappa * c.array().square();
  ++updates_;
  return true;
}

void GaussianScan::compute(const EvidenceState& state) {
  const double precision = 1 / state.precisions.noise_variance;
  const Vector w = bordered_weights(state);
  total_.s.resize(square_norms_.size());
  total_.q.resize(square_norms_.size());
  parallel_blocks(square_norms_.size(), kBasisBlock, [&](Index begin, Index end) {
    const Index size = end - begin;
    const auto products = products_.middleRows(begin, size);
    const Vector explained =
        factor_->half_solve(products.transpose()).colwise().squaredNorm().transpose();
    total_.s.segment(begin, size) =
        precision * (square_norms_.segment(begin, size) - precision * explained);
    total_.q.segment(begin, size) =
        precision * (target_products_.segment(begin, size) - products * w);
  });
  updates_ = 0;
}

void GaussianScan::follow(const EvidenceState& state, std::span<const Index> active) {
  const auto m = std::ssize(active);
  Matrix products(square_norms_.size(), m + (state.prior->bias ? 1 : 0));
  for (Index k = 0; k < m; ++k) {
    const Index basis = active[k];
    const Index position = position_of(basis, active_);
    if (position >= 0) {
      products.col(k) = products_.col(position);
    } else {
      products.col(k) = products_with(basis);
    }
  }
  if (state.prior->bias) products.col(m) = bias_products_;
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const Index basis = active_[k];
    const bool left = position_of(basis, active) < 0;
    if (left && std::ranges::find(fetched_, basis, &Fetched::basis) == fetched_.end()) {
      remember(basis, products_.col(static_cast<Index>(k)));
    }
  }
  products_ = std::move(products);
  active_.assign(active.begin(), active.end());
  precisions_ = state.precisions;
  factor_.emplace(posterior_factor(state));
}

const Vector& GaussianScan::products_with(Index basis) {
  const auto found = std::ranges::find(fetched_, basis, &Fetched::basis);
  if (found != fetched_.end()) return found->products;
  const Index position = position_of(basis, active_);
  if (position >= 0) return remember(basis, products_.col(position));
  Vector products;
  if (!candidates_.phi->kept_products(basis, candidates_.row_weights, products)) {
    const Vector column = candidates_.phi->columns({&basis, 1});
    candidates_.phi->multiply_transposed(candidates_.row_weights.cwiseProduct(column), products);
  }
  return remember(basis, std::move(products));
}

const Vector& GaussianScan::remember(Index basis, Vector products) {
  if (fetched_.size() == kRemembered) fetched_.pop_back();
  fetched_.push_front({basis, std::move(products)});
  return fetched_.front().products;
}

}  // namespace ardent
