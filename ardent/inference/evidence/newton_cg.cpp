#include "ardent/inference/evidence/newton_cg.h"

#include <algorithm>
#include <cmath>

#include "ardent/linalg/conjugate_gradient.h"
#include "ardent/linalg/dot.h"

namespace ardent {

double line_minimum(const std::function<LikelihoodAlong(double)>& along, double penalty_slope,
                    double penalty_curvature) {
  const LikelihoodAlong start = along(0);
  const double slope_at_zero = -start.slope + penalty_slope;
  if (!(slope_at_zero < 0)) return 0;
  const double rounding = 1e-14 * std::abs(start.value);
  double low = 0, high = INFINITY, s = 1;
  for (int i = 0; i < 40; ++i) {
    const LikelihoodAlong at = along(s);
    const double slope = -at.slope + penalty_slope + s * penalty_curvature;
    const double rise =
        start.value - at.value + s * penalty_slope + 0.5 * s * s * penalty_curvature;
    if (std::abs(slope) <= 0.1 * -slope_at_zero && rise <= rounding) return s;
    (slope < 0 ? low : high) = s;
    double next = s - slope / (at.curvature + penalty_curvature);
    if (!(next > low) || !(next < high)) next = std::isinf(high) ? 4 * s : 0.5 * (low + high);
    s = std::min(next, 4 * s);
  }
  return low;  // L falls all the way up to there
}

double newton_forcing(double size, double scale) {
  return std::clamp(std::sqrt(std::sqrt(size / scale)), 0.1, 0.3);
}

NewtonCgReport newton_cg(const MapObjective& objective, const Vector& alpha, MapPoint& point,
                         const NewtonCgOptions& options) {
  NewtonCgReport report;
  Vector gradient, diagonal, fitted, step;
  const auto product = [&](const Vector& v, Vector& out) {
    objective.hessian_product(point, alpha, v, fitted, out);
    ++report.products;
  };
  // The scale of the gradient is that of the likelihood's at f = 0, so that a warm start, whose
  // gradient is small from the beginning, is not asked for more digits than a cold one.
  MapPoint zero{Vector::Zero(point.w.size()), Vector::Zero(point.f.size()), {}, {}, 0};
  objective.evaluate(zero);
  objective.gradient(zero, alpha, gradient);
  objective.phi().weighted_square_norms(zero.curvature, diagonal);
  diagonal += alpha;
  const double scale = dot(gradient, quotients(gradient, diagonal));
  const double goal = options.tolerance * options.tolerance * scale;

  while (report.steps < options.max_steps) {
    objective.gradient(point, alpha, gradient);
    objective.phi().weighted_square_norms(point.curvature, diagonal);
    diagonal += alpha;
    const double size = dot(gradient, quotients(gradient, diagonal));
    if (!(size > goal) && (report.steps > 0 || size == 0)) break;
    step.setZero(point.w.size());
    conjugate_gradient(product, diagonal, -gradient, step,
                       {newton_forcing(size, scale), options.max_cg});
    objective.phi().multiply(step, fitted);
    const Vector alpha_step = alpha.cwiseProduct(step);
    const auto along = [&](double s) { return objective.along(point.f, fitted, s); };
    const double s = line_minimum(along, dot(point.w, alpha_step), dot(step, alpha_step));
    ++report.steps;
    if (!(s > 0)) break;
    add_scaled(s, step, point.w);
    add_scaled(s, fitted, point.f);
    objective.evaluate(point);
  }
  return report;
}

}  // namespace ardent
