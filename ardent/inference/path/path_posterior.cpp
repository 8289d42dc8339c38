#include "ardent/inference/path/path_posterior.h"

#include <algorithm>
#include <numbers>

#include "ardent/base/elementary.h"
#include "ardent/inference/evidence/noise_prior.h"
#include "ardent/inference/evidence/primal_space.h"
#include "ardent/inference/evidence/trust.h"
#include "ardent/linalg/cholesky.h"

namespace ardent {
namespace {

constexpr Index kPathCovarianceLimit = 2000;  // weights for which the covariance is formed

/// (PhiᵀBPhi + A)⁻¹ of (w, b) for β of unit noise: its diagonal, itself where asked for, and
/// log|·⁻¹|.
struct UnitCovariance {
  Vector variance;
  Matrix joint;
  double log_determinant = 0;  // of the inverse
};

UnitCovariance unit_covariance(const Design& kept, const Vector& curvature, const Vector& alpha,
                               const EngineOptions& options, std::vector<std::string>& warnings) {
  UnitCovariance result;
  const Index m = alpha.size(), size = m + (options.bias ? 1 : 0);
  if (size == 0) return result;
  if (m <= kPathCovarianceLimit) {
    const Cholesky factor(
        bordered_hessian(kept, curvature, {alpha, options.bias, options.bias_precision}));
    warn_of_jitter(factor.jitter(), warnings);
    result.log_determinant = factor.log_determinant();
    if (options.covariance) result.joint = factor.inverse();
    result.variance =
        options.covariance ? Vector(result.joint.diagonal()) : factor.inverse_diagonal();
    return result;
  }
  Vector diagonal;
  kept.weighted_square_norms(curvature, diagonal);
  diagonal += alpha;
  if (options.bias) {
    diagonal.conservativeResize(size);
    diagonal[m] = kept.over_rows(curvature.sum()) + options.bias_precision;
  }
  result.variance = diagonal.cwiseInverse();
  result.log_determinant = elementary::sum_of_logs(diagonal);
  return result;
}

/// σ² of a Gaussian target; 1 for classes, and the log-likelihood at it.
struct Noise {
  double variance = 1;
  double log_likelihood = 0;
};

Noise noise_of(const L1Solution& solution, const ActiveProblem& problem, double held_out_loss,
               double spent, bool bias, std::vector<std::string>& warnings) {
  if (problem.likelihood != Likelihood::gaussian) return {1, solution.point.log_likelihood};
  const Vector error = problem.t - solution.point.f;
  const double squares = problem.phi->over_rows(error.cwiseProduct(problem.row_weights).dot(error));
  const double rows = problem.row_count();
  warn_of_overfit({rows, spent, squares}, warnings);
  Noise noise;
  noise.variance = best_noise_variance(squares, rows - spent - (bias ? 1 : 0));
  noise.variance = std::max(noise.variance, held_out_loss / (1 + spent / rows));
  noise.log_likelihood = -0.5 * (rows * elementary::log(2 * std::numbers::pi * noise.variance) +
                                 squares / noise.variance);
  return noise;
}

}  // namespace

StandardProblem with_callers_columns(const Design& design, const Target& target,
                                     const EngineOptions& options,
                                     std::vector<std::string>& warnings) {
  StandardProblem standard = standardise(design, target, options, warnings);
  auto phi = design.clone();
  phi->keep(standard.problem.columns);
  standard.problem.phi = std::move(phi);
  standard.units.column_rms.setOnes();
  return standard;
}

Posterior path_posterior(const L1Solution& solution, const Vector& penalties, double held_out_loss,
                         const StandardProblem& standard, const EngineOptions& options,
                         std::vector<std::string>& warnings) {
  Vector alpha = solution.lambda * Vector(penalties(solution.active));
  alpha.array() /= solution.w.array().abs();
  alpha.array() += solution.lambda * solution.ridge;
  return mode_posterior(solution, alpha, held_out_loss, standard, options, warnings);
}

Posterior mode_posterior(const L1Solution& solution, const Vector& alpha, double held_out_loss,
                         const StandardProblem& standard, const EngineOptions& options,
                         std::vector<std::string>& warnings) {
  const ActiveProblem& problem = standard.problem;
  const Index m = solution.w.size();
  const auto kept = problem.phi->clone();
  kept->keep(solution.active);
  const UnitCovariance unit =
      unit_covariance(*kept, solution.point.curvature, alpha, options, warnings);
  Posterior posterior;
  for (const Index k : solution.active) {
    posterior.active.push_back(problem.columns[static_cast<std::size_t>(k)]);
  }
  posterior.mean = solution.w;
  posterior.has_bias = options.bias;
  posterior.bias = solution.bias;
  posterior.plug_in = true;
  posterior.gamma = (1 - alpha.array() * unit.variance.head(m).array()).max(0.0).min(1.0);
  const Noise noise =
      noise_of(solution, problem, held_out_loss, posterior.gamma.sum(), options.bias, warnings);
  posterior.noise_variance = problem.likelihood == Likelihood::gaussian ? noise.variance : 0;
  posterior.alpha = alpha / noise.variance;
  posterior.variance = noise.variance * unit.variance;
  posterior.covariance = noise.variance * unit.joint;
  const double log_prior = elementary::sum_of_logs(posterior.alpha) +
                           (options.bias ? elementary::log(options.bias_precision) : 0);
  const double log_determinant = unit.log_determinant - static_cast<double>(unit.variance.size()) *
                                                            elementary::log(noise.variance);
  posterior.log_evidence =
      noise.log_likelihood - problem.log_volume -
      0.5 * (posterior.alpha.dot(solution.w.cwiseAbs2()) - log_prior + log_determinant);
  return to_callers_units(std::move(posterior), standard.units);
}

}  // namespace ardent
