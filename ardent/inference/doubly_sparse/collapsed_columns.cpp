#include "ardent/inference/doubly_sparse/collapsed_columns.h"

#include <algorithm>

#include "ardent/base/elementary.h"
#include "ardent/base/parallel.h"
#include "ardent/inference/doubly_sparse/kernel_values.h"
#include "ardent/inference/doubly_sparse/masked_distances.h"

namespace ardent::doubly_sparse {
namespace {

// Rows at a time: a block of twenty columns of distances and kernel values stays in cache. Bounds
// depend on the problem alone and partial sums are added in block order.
constexpr Index kKernelRowBlock = 1024;

/// KᵀΩK (lower triangle) and Kᵀκ over one block of rows.
struct BlockSums {
  Matrix q;
  Vector v;
};

Index block_count(Index rows) {
  return (rows + kKernelRowBlock - 1) / kKernelRowBlock;
}

}  // namespace

CollapsedColumns::CollapsedColumns(const KernelProblem& problem, bool bias)
    : problem_(problem), bias_(bias) {
  reserve(32);
}

void CollapsedColumns::reserve(Index columns) {
  if (columns <= kernel_.cols()) return;
  const Index n = problem_.size(), capacity = 2 * columns;
  distances_.conservativeResize(n, capacity);
  kernel_.conservativeResize(n, capacity);
  trial_distances_.resize(n, capacity);
  trial_kernel_.resize(n, capacity);
  if (bias_) {
    kernel_.col(0).setOnes();
    trial_kernel_.col(0).setOnes();
  }
}

Vector CollapsedColumns::prior_precision(double xi) const {
  Vector precision = Vector::Constant(columns(), xi);
  if (bias_) precision[0] = kBiasPrecision;
  return precision;
}

void CollapsedColumns::start(const KernelState& state) {
  features_ = state.features;
  features_on_ = state.features_on();
  basis_ = state.basis;
  scales_ = state.scales;
  delta_ = state.delta;
  xi_ = state.xi;
  reserve(columns() + 1);
  const std::vector<Index> on = indices_on(features_);
  parallel_blocks(problem_.size(), kKernelRowBlock, [&](Index begin, Index end) {
    for (Index j = 0; j < std::ssize(basis_); ++j) {
      auto distance = distances_.col(j).segment(begin, end - begin);
      masked_distance(problem_.rows, problem_.centres, basis_[j], on, distance, begin, scales_);
      kernel_values(delta_, distance, kernel_.col(offset() + j).segment(begin, end - begin));
    }
  });
}

template <class Distances>
CollapsedEvidence CollapsedColumns::evaluate(double delta, Matrix& kernel,
                                             Distances&& distances_of_rows) const {
  const Index n = problem_.size(), m = columns(), blocks = block_count(n);
  if (m == 0) return {};
  std::vector<BlockSums> sums(blocks);
  parallel_for(blocks, [&](Index b) {
    const Index begin = b * kKernelRowBlock, height = std::min(kKernelRowBlock, n - begin);
    for (Index j = 0; j < m - offset(); ++j) {
      kernel_values(delta, distances_of_rows(j, begin, height),
                    kernel.col(offset() + j).segment(begin, height));
    }
    const auto block = kernel.block(begin, 0, height, m);
    const Matrix weighted = omega_.segment(begin, height).cwiseSqrt().asDiagonal() * block;
    BlockSums& sum = sums[b];
    sum.q = Matrix::Zero(m, m);
    sum.q.selfadjointView<Eigen::Lower>().rankUpdate(weighted.transpose());
    sum.v = block.transpose() * kappa_.segment(begin, height);
  });
  Matrix q = prior_precision(xi_).asDiagonal();
  Vector v = Vector::Zero(m);
  for (const BlockSums& sum : sums) {
    q += sum.q;
    v += sum.v;
  }
  return CollapsedEvidence(q, v, prior_precision(xi_));
}

void CollapsedColumns::set_weights_and_target(Vector omega, Vector kappa) {
  omega_ = std::move(omega);
  kappa_ = std::move(kappa);
  evidence_ = evaluate(delta_, kernel_, [&](Index j, Index begin, Index height) {
    return distances_.col(j).segment(begin, height);
  });
}

Vector CollapsedColumns::predictor(const Vector& weights) const {
  if (columns() == 0) return Vector::Zero(problem_.size());
  return kernel_.leftCols(columns()) * weights;
}

double CollapsedColumns::try_features(const std::vector<FeatureChange>& changes, double delta) {
  trial_ = evaluate(delta, trial_kernel_, [&](Index j, Index begin, Index height) {
    auto from = distances_.col(j).segment(begin, height);
    if (changes.empty()) return from;
    auto changed = trial_distances_.col(j).segment(begin, height);
    for (const FeatureChange& change : changes) {
      const Index k = change.feature;
      const double now = features_[k] ? scale(k) : 0, then = change.on ? change.scale : 0;
      changed_distance(problem_.rows, problem_.centres, basis_[j], k, then - now,
                       &change == changes.data() ? from : changed, changed, begin);
    }
    return changed;
  });
  trial_features_ = changes;
  trial_delta_ = delta;
  return trial_.value() - evidence_.value();
}

double CollapsedColumns::try_swap(Index in, Index out) {
  return try_features({{in, true, scale(out)}, {out, false, scale(in)}}, delta_);
}

void CollapsedColumns::accept_trial() {
  for (const FeatureChange& change : trial_features_) {
    auto& bit = features_[change.feature];
    features_on_ += (change.on ? 1 : 0) - (bit ? 1 : 0);
    bit = change.on ? 1 : 0;
    if (scales_.size() > 0) scales_[change.feature] = change.scale;
  }
  if (!trial_features_.empty()) distances_.swap(trial_distances_);
  delta_ = trial_delta_;
  kernel_.swap(trial_kernel_);
  std::swap(evidence_, trial_);
}

void CollapsedColumns::shift_width(double shift) {
  delta_ *= elementary::exp(shift);
  const double factor = elementary::exp(-shift);
  for (Index k = 0; k < scales_.size(); ++k) {
    if (features_[k]) scales_[k] *= factor;
  }
  distances_.leftCols(std::ssize(basis_)) *= factor;
}

CollapsedEvidence CollapsedColumns::evidence_at(double xi) const {
  return evidence_.with_precision(prior_precision(xi));
}

void CollapsedColumns::set_xi(double xi) {
  evidence_ = evidence_at(xi);
  xi_ = xi;
}

double CollapsedColumns::try_birth(Index c) {
  const Index n = problem_.size(), m = columns(), blocks = block_count(n);
  birth_distance_.resize(n);
  birth_kernel_.resize(n);
  const std::vector<Index> on = indices_on(features_);
  std::vector<ColumnProducts> partial(blocks);
  parallel_for(blocks, [&](Index b) {
    const Index begin = b * kKernelRowBlock, height = std::min(kKernelRowBlock, n - begin);
    auto distance = birth_distance_.segment(begin, height);
    auto column = birth_kernel_.segment(begin, height);
    masked_distance(problem_.rows, problem_.centres, c, on, distance, begin, scales_);
    kernel_values(delta_, distance, column);
    const Vector weighted = column.cwiseProduct(omega_.segment(begin, height));
    ColumnProducts& block = partial[b];
    if (m > 0) block.u = kernel_.block(begin, 0, height, m).transpose() * weighted;
    block.own = column.dot(weighted);
    block.target = column.dot(kappa_.segment(begin, height));
  });
  birth_products_ = {Vector::Zero(m), 0, 0, xi_};
  for (const ColumnProducts& block : partial) {
    if (m > 0) birth_products_.u += block.u;
    birth_products_.own += block.own;
    birth_products_.target += block.target;
  }
  birth_ = c;
  return evidence_.change_by_adding(birth_products_);
}

void CollapsedColumns::accept_birth() {
  reserve(columns() + 1);
  distances_.col(std::ssize(basis_)) = birth_distance_;
  kernel_.col(columns()) = birth_kernel_;
  evidence_.add(birth_products_);
  basis_.push_back(birth_);
}

double CollapsedColumns::change_by_death(Index j) const {
  return evidence_.change_by_removing(offset() + j);
}

void CollapsedColumns::remove(Index j) {
  for (Index c = j; c + 1 < std::ssize(basis_); ++c) {
    distances_.col(c) = distances_.col(c + 1);
    kernel_.col(offset() + c) = kernel_.col(offset() + c + 1);
  }
  basis_.erase(basis_.begin() + j);
  evidence_.remove(offset() + j);
}

}  // namespace ardent::doubly_sparse
