#include "ardent/inference/evidence/map_objective.h"

#include <cmath>
#include <numbers>

#include "ardent/base/elementary.h"
#include "ardent/base/parallel.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/linalg/dot.h"

namespace ardent {
namespace {

constexpr Index kObjectiveRowBlock = 4096;

}  // namespace

void MapObjective::evaluate(MapPoint& point) const {
  if (likelihood_ == Likelihood::bernoulli) {
    point.log_likelihood = bernoulli::log_likelihood(t_, point.f, row_weights_);
    bernoulli::derivatives(t_, point.f, point.residual, point.curvature, row_weights_);
    return;
  }
  point.curvature = row_weights_ / noise_variance_;
  const Vector error = t_ - point.f;
  point.residual = point.curvature.cwiseProduct(error);
  point.log_likelihood =
      -0.5 * (row_weights_.sum() * elementary::log(2 * std::numbers::pi * noise_variance_) +
              point.residual.dot(error));
}

void MapObjective::gradient(const MapPoint& point, const Vector& alpha, Vector& out) const {
  phi_.multiply_transposed(point.residual, out);
  parallel_blocks(out.size(), kElementBlock, [&](Index begin, Index end) {
    const auto here = Eigen::seq(begin, end - 1);
    out(here) = alpha(here).cwiseProduct(point.w(here)) - out(here);
  });
}

void MapObjective::hessian_product(const MapPoint& point, const Vector& alpha, const Vector& v,
                                   Vector& fitted, Vector& out) const {
  phi_.multiply(v, fitted);
  parallel_blocks(fitted.size(), kElementBlock, [&](Index begin, Index end) {
    const auto here = Eigen::seq(begin, end - 1);
    fitted(here) = fitted(here).cwiseProduct(point.curvature(here));
  });
  phi_.multiply_transposed(fitted, out);
  parallel_blocks(out.size(), kElementBlock, [&](Index begin, Index end) {
    const auto here = Eigen::seq(begin, end - 1);
    out(here) += alpha(here).cwiseProduct(v(here));
  });
}

MapObjective::Along MapObjective::along(const Vector& f, const Vector& df, double s) const {
  const Index blocks = (f.size() + kObjectiveRowBlock - 1) / kObjectiveRowBlock;
  std::vector<Along> partial(blocks);
  parallel_for(blocks, [&](Index b) {
    Along& sum = partial[b];
    const Index end = std::min(f.size(), (b + 1) * kObjectiveRowBlock);
    for (Index i = b * kObjectiveRowBlock; i < end; ++i) {
      const double at = f[i] + s * df[i], c = row_weights_[i];
      if (likelihood_ == Likelihood::bernoulli) {
        const auto [y, not_y] = bernoulli::shares(at);
        sum.value -= c * bernoulli::log1p_exp(t_[i] > 0.5 ? -at : at);
        sum.slope += c * (t_[i] > 0.5 ? not_y : -y) * df[i];
        sum.curvature += c * y * not_y * df[i] * df[i];
      } else {
        const double error = t_[i] - at, precision = c / noise_variance_;
        sum.value -= 0.5 * precision * error * error;
        sum.slope += precision * error * df[i];
        sum.curvature += precision * df[i] * df[i];
      }
    }
  });
  Along total;
  for (const Along& sum : partial) {
    total.value += sum.value;
    total.slope += sum.slope;
    total.curvature += sum.curvature;
  }
  return total;
}

}  // namespace ardent
