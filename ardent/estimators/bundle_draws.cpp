#include "ardent/estimators/bundle_draws.h"

#include <algorithm>
#include <set>

#include "ardent/estimators/training_set.h"
#include "ardent/inference/doubly_sparse/masked_distances.h"

namespace ardent {
namespace {

/// Where `value`, which is in it, stands in an ascending list.
Index place_of(const std::vector<Index>& ascending, Index value) {
  return std::lower_bound(ascending.begin(), ascending.end(), value) - ascending.begin();
}

/// Positions of the scaled columns, and training rows, that some draw has on.
struct Used {
  std::vector<Index> columns, rows;

  explicit Used(const std::vector<DoublySparseSample>& sampled) {
    std::set<Index> some_columns, some_rows;
    for (const DoublySparseSample& one : sampled) {
      for (const doubly_sparse::KernelState& draw : one.draws) {
        const std::vector<Index> on = doubly_sparse::indices_on(draw.features);
        some_columns.insert(on.begin(), on.end());
        for (const Index c : draw.basis) {
          some_rows.insert(one.fit.candidates[c]);
        }
      }
    }
    columns.assign(some_columns.begin(), some_columns.end());
    rows.assign(some_rows.begin(), some_rows.end());
  }
};

KernelDraw kernel_draw(const doubly_sparse::KernelState& state,
                       const std::vector<Index>& candidates, const Used& used) {
  KernelDraw draw;
  for (const Index k : doubly_sparse::indices_on(state.features)) {
    draw.inputs.push_back(place_of(used.columns, k));
    if (state.scales.size() > 0) draw.scales.push_back(state.scales[k]);
  }
  for (const Index c : state.basis) {
    draw.centres.push_back(place_of(used.rows, candidates[c]));
  }
  draw.weights = state.alpha;
  draw.bias = state.bias;
  draw.delta = state.delta;
  draw.noise_variance = state.noise_variance;
  return draw;
}

/// Weights over draws: a centre that is not in a draw has weight 0 in it.
Posterior posterior_of(const std::vector<KernelDraw>& draws, double xi, Index centres) {
  const auto count = static_cast<double>(draws.size());
  Vector sum = Vector::Zero(centres + 1), square = sum, included = Vector::Zero(centres);
  double noise = 0;
  for (const KernelDraw& draw : draws) {
    for (std::size_t j = 0; j < draw.centres.size(); ++j) {
      const Index c = draw.centres[j];
      const double weight = draw.weights[j];
      sum[c] += weight;
      square[c] += weight * weight;
      included[c] += 1;
    }
    sum[centres] += draw.bias;
    square[centres] += draw.bias * draw.bias;
    noise += draw.noise_variance;
  }
  Posterior posterior;
  posterior.has_bias = true;
  posterior.bias = sum[centres] / count;
  posterior.noise_variance = noise / count;
  for (Index c = 0; c < centres; ++c) {
    if (included[c] > 0) posterior.active.push_back(c);
  }
  const Vector mean = sum / count;
  const Vector variance = (square / count - mean.cwiseAbs2()).cwiseMax(0.0);
  const auto active = std::ssize(posterior.active);
  posterior.mean = mean(posterior.active);
  posterior.gamma = included(posterior.active) / count;
  posterior.alpha = Vector::Constant(active, xi);
  posterior.variance.resize(active + 1);
  posterior.variance.head(active) = variance(posterior.active);
  posterior.variance[active] = variance[centres];
  return posterior;
}

}  // namespace

void bundle_draws(const Features& scaled, const std::vector<DoublySparseSample>& sampled,
                  Model& model) {
  const Used used(sampled);
  keep_inputs(used.columns, model);
  const Features centres = select_rows(select_columns(scaled, used.columns), used.rows);
  DoublySparseModel bundle{to_dense(centres), used.rows, {}};
  for (const DoublySparseSample& one : sampled) {
    Part part{one.fit.positive, one.fit.negative, {}, {}};
    DoublySparseModel::Sample& sample = bundle.samples.emplace_back();
    double xi = 0;
    for (const doubly_sparse::KernelState& state : one.draws) {
      sample.draws.push_back(kernel_draw(state, one.fit.candidates, used));
      xi += state.xi / static_cast<double>(one.draws.size());
    }
    part.posterior = posterior_of(sample.draws, xi, std::ssize(used.rows));
    if (model.task == Task::classification) part.posterior.noise_variance = 0;
    for (const Index k : used.columns) {
      sample.inclusion.push_back(one.fit.summary.features[k].mean);
    }
    part.report.warnings = one.fit.summary.warnings;
    part.report.status = part.report.warnings.empty() ? Status::converged : Status::iteration_limit;
    model.parts.push_back(std::move(part));
    model.total = std::max(model.total, std::ssize(one.fit.candidates));
  }
  model.kind = std::move(bundle);
}

}  // namespace ardent
