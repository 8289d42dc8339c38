#include "ardent/inference/standard_units.h"

#include <fmt/format.h>

#include <cmath>

#include "ardent/base/error.h"

namespace ardent {
namespace {

constexpr double kCovarianceBytes = 2.0 * (1 << 30);
// A standard deviation below this fraction of the mean is rounding, not signal.
constexpr double kConstantTarget = 1e-13;

void check_target(const Target& target, Index rows, Index cols) {
  const Vector& t = target.t;
  if (t.size() != rows) {
    throw InputError(
        fmt::format("the target has {} entries but the design is {} × {}: one entry "
                    "per row is needed",
                    t.size(), rows, cols));
  }
  if (rows == 0) throw InputError("the design has no rows: there is nothing to learn from");
  for (Index i = 0; i < rows; ++i) {
    if (!std::isfinite(t[i])) {
      throw InputError(fmt::format("the target of row {} is {}; remove or mend the row", i, t[i]));
    }
    if (target.likelihood == Likelihood::bernoulli && t[i] != 0 && t[i] != 1) {
      throw InputError(fmt::format(
          "the target of row {} is {}, but the Bernoulli likelihood needs 0 or 1", i, t[i]));
    }
  }
  if (target.likelihood == Likelihood::bernoulli && (t.array() == t[0]).all()) {
    throw InputError(
        fmt::format("all {} rows are of one class ({}): two classes are needed", rows, t[0]));
  }
}

Vector checked_rms(const Design& design) {
  Vector square_norms;
  design.weighted_square_norms(Vector::Ones(design.rows()), square_norms);
  for (Index k = 0; k < square_norms.size(); ++k) {
    if (!std::isfinite(square_norms[k])) {
      throw InputError(fmt::format(
          "column {} of the design holds a value that is not a number, infinite or beyond 1e150; "
          "remove or mend it",
          k));
    }
  }
  return (square_norms / static_cast<double>(design.rows())).cwiseSqrt();
}

std::vector<Index> nonzero_columns(const Vector& rms, std::vector<std::string>& warnings) {
  std::vector<Index> nonzero;
  for (Index k = 0; k < rms.size(); ++k) {
    // Where 1/rms overflows the column is as good as zero.
    if (std::isfinite(1 / rms[k])) nonzero.push_back(k);
  }
  const Index zero = rms.size() - static_cast<Index>(nonzero.size());
  if (zero > 0) {
    warnings.push_back(
        fmt::format("{} of {} columns are zero in every row and were left out", zero, rms.size()));
  }
  return nonzero;
}

std::shared_ptr<const Design> scaled(const Design& design, std::span<const Index> columns,
                                     const Vector& rms) {
  auto phi = design.clone();
  phi->keep(columns);
  Vector factors(phi->cols());
  for (Index k = 0; k < factors.size(); ++k) {
    factors[k] = 1 / rms[columns[static_cast<std::size_t>(k)]];
  }
  phi->scale_columns(factors);
  return phi;
}

void standardise_target(const Vector& t, bool bias, StandardProblem& standard) {
  StandardUnits& units = standard.units;
  units.target_shift = bias ? t.mean() : 0.0;
  standard.problem.t = t.array() - units.target_shift;
  units.target_scale = std::sqrt(standard.problem.t.squaredNorm() / static_cast<double>(t.size()));
  if (units.target_scale <= kConstantTarget * std::abs(units.target_shift)) units.target_scale = 0;
  if (units.target_scale == 0) return;
  standard.problem.t /= units.target_scale;
  standard.problem.log_volume = log_volume(units, t.size());
}

}  // namespace

StandardProblem standardise(const Design& design, const Target& target,
                            const EngineOptions& options, std::vector<std::string>& warnings) {
  check_target(target, design.rows(), design.cols());
  StandardProblem standard;
  standard.units.column_rms = checked_rms(design);
  standard.problem.columns = nonzero_columns(standard.units.column_rms, warnings);
  standard.problem.likelihood = target.likelihood;
  standard.problem.t = target.t;
  if (standard.problem.columns.empty() && !options.bias) {
    throw InputError(
        fmt::format("the design ({} × {}) has no column that is not zero, and there "
                    "is no bias: there is nothing to fit",
                    design.rows(), design.cols()));
  }
  standard.problem.phi = scaled(design, standard.problem.columns, standard.units.column_rms);
  if (target.likelihood == Likelihood::gaussian) {
    standardise_target(target.t, options.bias, standard);
  }
  return standard;
}

double log_volume(const StandardUnits& units, Index rows) {
  return static_cast<double>(rows) * std::log(units.target_scale);
}

Posterior to_posterior(const EvidenceState& state, const StandardUnits& units) {
  const Index m = state.problem.active();
  const double scale = units.target_scale;
  Vector unit(m);  // a weight in the caller's units = unit · weight in standard units
  for (Index k = 0; k < m; ++k) {
    unit[k] = scale / units.column_rms[state.problem.columns[static_cast<std::size_t>(k)]];
  }
  Posterior posterior;
  posterior.active = state.problem.columns;
  posterior.mean = unit.cwiseProduct(state.w);
  posterior.alpha = state.precisions.alpha.array() / unit.array().square();
  posterior.gamma = state.relevance.gamma;
  posterior.has_bias = state.prior->bias;
  if (posterior.has_bias) {
    posterior.bias = scale * state.mode.predictor.bias + units.target_shift;
    unit.conservativeResize(m + 1);
    unit[m] = scale;
  }
  const double size = static_cast<double>(unit.size());
  if (size * size * sizeof(double) <= kCovarianceBytes) {
    posterior.covariance = state.space->covariance();
    for (Index k = 0; k < unit.size(); ++k) {
      posterior.covariance.col(k).array() *= unit[k] * unit.array();
    }
    posterior.variance = posterior.covariance.diagonal();
  } else {
    posterior.variance.resize(unit.size());
    posterior.variance.head(m) = (1 - posterior.gamma.array()) / posterior.alpha.array();
    if (posterior.has_bias) {
      posterior.variance[m] =
          scale * scale * (1 - state.relevance.bias_gamma) / state.prior->bias_precision;
    }
  }
  posterior.log_evidence = state.log_evidence;
  if (state.problem.likelihood == Likelihood::gaussian) {
    posterior.noise_variance = scale * scale * state.precisions.noise_variance;
  }
  return posterior;
}

}  // namespace ardent
