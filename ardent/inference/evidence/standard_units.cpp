#include "ardent/inference/evidence/standard_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/inference/evidence/precision_update.h"
#include "ardent/inference/evidence/target_range.h"

namespace ardent {
namespace {

constexpr double kCovarianceBytes = 2.0 * (1 << 30);
// A standard deviation below this fraction of the mean is rounding, not signal.
constexpr double kConstantTarget = 1e-13;
constexpr double kLeastPrecision = 1e-50;

/// What every row has in common with the first of its class, in all processes that share the rows.
bool of_one_class(const Vector& t, const RowShare* share) {
  Vector ends = Vector::Constant(2, -1);  // of no row: below what a row has
  if (t.size() > 0) ends << t.maxCoeff(), -t.minCoeff();
  max_over(share, ends);
  return ends[0] == -ends[1];
}

void check_target(const Target& target, const Design& design) {
  const Index rows = design.rows(), cols = design.cols();
  const Vector& t = target.t;
  if (t.size() != rows) {
    throw InputError(
        fmt::format("the target has {} entries but the design is {} × {}: one entry "
                    "per row is needed",
                    t.size(), rows, cols));
  }
  if (design.all_rows() == 0)
    throw InputError("the design has no rows: there is nothing to learn from");
  for (Index i = 0; i < rows; ++i) {
    if (!std::isfinite(t[i])) {
      throw InputError(fmt::format("the target of row {} is {}; remove or fix the row", i, t[i]));
    }
    if (target.likelihood == Likelihood::bernoulli && t[i] != 0 && t[i] != 1) {
      throw InputError(fmt::format(
          "the target of row {} is {}, but the Bernoulli likelihood needs 0 or 1", i, t[i]));
    }
  }
  if (target.likelihood == Likelihood::bernoulli && of_one_class(t, design.share())) {
    throw InputError(fmt::format("all {} rows are of one class ({}): two classes are needed",
                                 design.all_rows(), rows > 0 ? t[0] : 0));
  }
}

/// The rows' weights, checked; all 1 where none are given.
Vector checked_weights(const Target& target, const Design& design) {
  const Vector& t = target.t;
  const Vector& weights = target.weights;
  // Of a process that has no rows of two classes it is not known whether they have weights.
  const bool weighted = max_over(design.share(), weights.size() > 0 ? 1 : 0) > 0;
  if (!weighted) return Vector::Ones(t.size());
  if (weights.size() != t.size()) {
    throw InputError(fmt::format("there are {} row weights but {} rows", weights.size(), t.size()));
  }
  for (Index i = 0; i < weights.size(); ++i) {
    if (!std::isfinite(weights[i]) || weights[i] < 0) {
      throw InputError(fmt::format(
          "the weight of row {} is {}, but weights must be finite and >= 0", i, weights[i]));
    }
  }
  const double ones = design.over_rows(weights.dot(t)), all = design.over_rows(weights.sum());
  if (!(all > 0)) throw InputError("all row weights are zero: there is nothing to learn from");
  if (target.likelihood == Likelihood::bernoulli && (ones == 0 || ones == all)) {
    throw InputError("all rows of weight above zero are of one class: two classes are needed");
  }
  return weights;
}

Vector checked_rms(const Design& design, const Vector& row_weights) {
  Vector square_norms;
  design.weighted_square_norms(row_weights, square_norms);
  for (Index k = 0; k < square_norms.size(); ++k) {
    if (!std::isfinite(square_norms[k])) {
      throw InputError(fmt::format(
          "column {} of the design holds a value that is not a number, infinite or beyond 1e150; "
          "remove or fix it",
          k));
    }
  }
  return (square_norms / design.over_rows(row_weights.sum())).cwiseSqrt();
}

std::vector<Index> nonzero_columns(const Vector& rms, std::vector<std::string>& warnings) {
  std::vector<Index> nonzero;
  for (Index k = 0; k < rms.size(); ++k) {
    // Where 1/rms² overflows, which scales the columns' squares, the column is as good as zero.
    if (std::isfinite(1 / (rms[k] * rms[k]))) nonzero.push_back(k);
  }
  const Index zero = rms.size() - std::ssize(nonzero);
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
    factors[k] = 1 / rms[columns[k]];
  }
  phi->scale_columns(factors);
  return phi;
}

void standardise_target(const Vector& t, bool bias, StandardProblem& standard) {
  StandardUnits& units = standard.units;
  const Vector& c = standard.problem.row_weights;
  const Design& phi = *standard.problem.phi;
  const Vector counting = (c.array() > 0).select(t, 0);
  check_target_range(max_over(phi.share(), counting.lpNorm<Eigen::Infinity>()));
  const double count = standard.problem.row_count();
  units.target_shift = bias ? phi.over_rows(c.dot(t)) / count : 0.0;
  standard.problem.t = t.array() - units.target_shift;
  units.target_scale =
      std::sqrt(phi.over_rows(c.dot(standard.problem.t.cwiseProduct(standard.problem.t))) / count);
  if (units.target_scale <= kConstantTarget * std::abs(units.target_shift)) units.target_scale = 0;
  if (units.target_scale == 0) return;
  check_weight_units(units.target_scale, units.column_rms, standard.problem.columns);
  standard.problem.t /= units.target_scale;
  standard.problem.log_volume = log_volume(units, count);
}

}  // namespace

StandardProblem standardise(const Design& design, const Target& target,
                            const EngineOptions& options, std::vector<std::string>& warnings) {
  check_target(target, design);
  StandardProblem standard;
  standard.problem.row_weights = checked_weights(target, design);
  standard.units.column_rms = checked_rms(design, standard.problem.row_weights);
  standard.problem.columns = nonzero_columns(standard.units.column_rms, warnings);
  standard.problem.likelihood = target.likelihood;
  standard.problem.t = target.t;
  if (standard.problem.columns.empty() && !options.bias) {
    throw InputError(
        fmt::format("the design ({} × {}) has no column that is not zero, and there "
                    "is no bias: there is nothing to fit",
                    design.all_rows(), design.cols()));
  }
  standard.problem.phi = scaled(design, standard.problem.columns, standard.units.column_rms);
  if (target.likelihood == Likelihood::gaussian) {
    standardise_target(target.t, options.bias, standard);
  } else {
    check_weight_units(1, standard.units.column_rms, standard.problem.columns);
  }
  if (options.support_prior == SupportChoice::beta_binomial) {
    const bool known = options.candidates > 0;
    standard.problem.support =
        SupportPrior(known ? options.candidates
                           : effective_candidates(*standard.problem.phi,
                                                  standard.problem.row_weights, options.bias));
  }
  return standard;
}

std::optional<StandardStart> standard_start(const StandardProblem& standard,
                                            const EngineOptions& options) {
  if (!options.starting_point) return std::nullopt;
  const StartingPoint& given = *options.starting_point;
  const auto count = std::ssize(given.active);
  if (given.alpha.size() != count || given.mean.size() != count || !given.mean.allFinite() ||
      !(given.alpha.array() > 0).all() ||
      !std::is_sorted(given.active.begin(), given.active.end())) {
    throw InputError(fmt::format(
        "a starting point needs ascending columns with a finite weight and a precision > 0 each; "
        "it has {} columns, {} weights and {} precisions",
        count, given.mean.size(), given.alpha.size()));
  }
  const StandardUnits& units = standard.units;
  const std::vector<Index>& columns = standard.problem.columns;
  StandardStart start;
  std::vector<double> alpha, w;
  for (Index k = 0; k < count; ++k) {
    const Index column = given.active[k];
    const auto place = std::lower_bound(columns.begin(), columns.end(), column);
    if (place == columns.end() || *place != column) continue;  // zero in these rows
    const double unit = units.target_scale / units.column_rms[column];
    start.positions.push_back(place - columns.begin());
    alpha.push_back(given.alpha[k] * unit * unit);
    w.push_back(given.mean[k] / unit);
  }
  if (alpha.empty()) return std::nullopt;
  start.alpha = Eigen::Map<const Vector>(alpha.data(), std::ssize(alpha));
  start.w = Eigen::Map<const Vector>(w.data(), std::ssize(w));
  start.bias = (given.bias - units.target_shift) / units.target_scale;
  if (standard.problem.likelihood == Likelihood::gaussian) {
    const double variance = given.noise_variance / (units.target_scale * units.target_scale);
    start.noise_variance = std::max(kNoiseFloor, variance);
  }
  return start;
}

double log_volume(const StandardUnits& units, double row_count) {
  return row_count * elementary::log(units.target_scale);
}

Posterior to_callers_units(Posterior posterior, const StandardUnits& units) {
  const Index m = posterior.mean.size();
  const double scale = units.target_scale;
  Vector unit(m);  // a weight in the caller's units = unit · weight in standard units
  for (Index k = 0; k < m; ++k) {
    unit[k] = scale / units.column_rms[posterior.active[k]];
  }
  posterior.mean.array() *= unit.array();
  // Beyond these a precision is as good as infinite or none, and its square in the caller's units
  // might be no double (target_range.cpp).
  posterior.alpha = posterior.alpha.cwiseMax(kLeastPrecision).cwiseMin(1 / kLeastPrecision);
  posterior.alpha.array() /= unit.array().square();
  if (posterior.has_bias) {
    posterior.bias = scale * posterior.bias + units.target_shift;
    unit.conservativeResize(m + 1);
    unit[m] = scale;
  }
  posterior.variance.array() *= unit.array().square();
  for (Index k = 0; k < posterior.covariance.cols(); ++k) {
    posterior.covariance.col(k).array() *= unit[k] * unit.array();
  }
  posterior.noise_variance *= scale * scale;
  return posterior;
}

PathPoint path_point(std::vector<Index> columns, const Eigen::Ref<const Vector>& w, double bias,
                     const StandardUnits& units) {
  PathPoint point{std::move(columns), w, units.target_shift + units.target_scale * bias};
  for (Index k = 0; k < w.size(); ++k) {
    const Index column = point.active[k];
    point.mean[k] *= units.target_scale / units.column_rms[column];
  }
  return point;
}

PathPoint path_point(const EvidenceState& state, const StandardUnits& units) {
  const double bias = state.prior->bias ? state.mode.predictor.bias : 0;
  return path_point(state.problem.columns, state.w, bias, units);
}

void settle_constant_target(ActiveProblem& problem, StandardUnits& units,
                            std::vector<std::string>& warnings) {
  warnings.push_back(fmt::format(
      "the target is {} in every row: no weight is needed, and the noise variance is not known",
      units.target_shift));
  units.target_scale = units.target_shift != 0 ? std::abs(units.target_shift) : 1.0;
  problem.log_volume = log_volume(units, problem.row_count());
}

void warn_of_jitter(double jitter, std::vector<std::string>& warnings) {
  if (jitter == 0) return;
  warnings.push_back(fmt::format(
      "columns that are kept depend on each other to rounding: {:g} of its diagonal was "
      "added to the Hessian, and their weights and variances mean little one by one",
      jitter));
}

Posterior to_posterior(const EvidenceState& state, const StandardUnits& units) {
  const Index m = state.problem.active();
  const double size = static_cast<double>(m + (state.prior->bias ? 1 : 0));
  Posterior posterior;
  posterior.active = state.problem.columns;
  posterior.mean = state.w;
  posterior.alpha = state.precisions.alpha;
  posterior.gamma = state.relevance.gamma;
  posterior.has_bias = state.prior->bias;
  posterior.bias = posterior.has_bias ? state.mode.predictor.bias : 0.0;
  posterior.log_evidence = state.log_evidence;
  if (state.problem.likelihood == Likelihood::gaussian) {
    posterior.noise_variance = state.precisions.noise_variance;
  }
  if (size * size * sizeof(double) <= kCovarianceBytes) {
    posterior.covariance = state.space->covariance();
    posterior.variance = posterior.covariance.diagonal();
  } else {
    posterior.variance = (1 - posterior.gamma.array()) / posterior.alpha.array();
    if (posterior.has_bias) {
      posterior.variance.conservativeResize(m + 1);
      posterior.variance[m] = (1 - state.relevance.bias_gamma) / state.prior->bias_precision;
    }
  }
  return to_callers_units(std::move(posterior), units);
}

}  // namespace ardent
