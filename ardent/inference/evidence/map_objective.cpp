#include "ardent/inference/evidence/map_objective.h"

#include <array>
#include <cmath>
#include <numbers>

#include "ardent/base/elementary.h"
#include "ardent/base/parallel.h"
#include "ardent/linalg/dot.h"

namespace ardent {
namespace {

constexpr Index kObjectiveRowBlock = 4096;

}  // namespace

void MapObjective::evaluate(MapPoint& point) const {
  if (likelihood_ == Likelihood::bernoulli) {
    point.log_likelihood = phi_.over_rows(bernoulli::log_likelihood(t_, point.f, row_weights_));
    bernoulli::derivatives(t_, point.f, point.residual, point.curvature, row_weights_);
    return;
  }
  point.curvature = row_weights_ / noise_variance_;
  const Vector error = t_ - point.f;
  point.residual = point.curvature.cwiseProduct(error);
  point.log_likelihood = -0.5 * (phi_.over_rows(row_weights_.sum()) *
                                     elementary::log(2 * std::numbers::pi * noise_variance_) +
                                 phi_.over_rows(point.residual.dot(error)));
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

LikelihoodAlong MapObjective::along(const Vector& f, const Vector& df, double s) const {
  std::vector<LikelihoodAlong> partial((f.size() + kObjectiveRowBlock - 1) / kObjectiveRowBlock);
  parallel_blocks(f.size(), kObjectiveRowBlock, [&](Index begin, Index end) {
    LikelihoodAlong& sum = partial[begin / kObjectiveRowBlock];
    if (likelihood_ == Likelihood::bernoulli) {
      bernoulli::add_along(t_, f, df, s, row_weights_, begin, end, sum);
      return;
    }
    for (Index i = begin; i < end; ++i) {
      const double error = t_[i] - (f[i] + s * df[i]),
                   precision = row_weights_[i] / noise_variance_;
      sum.value -= 0.5 * precision * error * error;
      sum.slope += precision * error * df[i];
      sum.curvature += precision * df[i] * df[i];
    }
  });
  LikelihoodAlong total;
  for (const LikelihoodAlong& sum : partial) {
    total.value += sum.value;
    total.slope += sum.slope;
    total.curvature += sum.curvature;
  }
  if (phi_.share()) {
    std::array<double, 3> sums{total.value, total.slope, total.curvature};
    phi_.share()->sum(sums);
    total = {sums[0], sums[1], sums[2]};
  }
  return total;
}

}  // namespace ardent
