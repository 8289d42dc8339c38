// What include/ardent/fit.h declares.
#include <fmt/format.h>

#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/given_options.h"
#include "ardent/data/public_dataset.h"
#include "ardent/design/dense.h"
#include "ardent/estimators/engine_by_name.h"
#include "ardent/fit.h"
#include "ardent/model/evidence_model.h"

namespace ardent {
namespace {

/// The options of an engine, which is one itself: what belongs to another engine is refused.
struct EngineChoice {
  std::string engine = "exact";
  EngineOptions options = {};
};

EngineChoice engine_choice(const v0::FitOptions& given) {
  EngineChoice choice;
  std::vector<std::string> engines = engine_names();
  engines.insert(engines.begin(), "auto");
  Schema fields;
  fields.add("engine", choice.engine, "", engines);
  fields.include(schema(choice.options));
  GivenOptions(fields)
      .set("engine", std::optional(given.engine))
      .set("bias", given.bias)
      .finish(given.more);
  if (choice.engine == "auto") throw InputError("fit needs the name of an engine, not automatic");
  validate(choice.options);
  return choice;
}

Matrix to_matrix(const v0::Matrix& matrix) {
  return Eigen::Map<const RowMatrix>(matrix.values().data(), matrix.rows(), matrix.cols());
}

Vector to_vector(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), std::ssize(values));
}

std::vector<double> numbers_of(const Vector& values) {
  return {values.begin(), values.end()};
}

Target checked_target(const v0::Matrix& design, const std::vector<double>& t,
                      const v0::FitOptions& options) {
  const bool classes = options.likelihood == v0::Likelihood::bernoulli;
  if (std::ssize(t) != design.rows() ||
      (!options.weights.empty() && options.weights.size() != t.size())) {
    throw InputError(fmt::format("a design of {} × {}, a target of {} and {} weights",
                                 design.rows(), design.cols(), t.size(), options.weights.size()));
  }
  for (const double value : t) {
    require(classes ? value == 0 || value == 1 : std::isfinite(value), "target",
            classes ? "0 or 1" : "finite", value);
  }
  for (const double weight : options.weights) {
    require(weight >= 0 && weight <= kLargestWeight, "weights", "in [0, 1e15]", weight);
  }
  return {.likelihood = classes ? Likelihood::bernoulli : Likelihood::gaussian,
          .t = to_vector(t),
          .weights = to_vector(options.weights)};
}

}  // namespace

namespace v0 {

Posterior fit(const Matrix& design, const std::vector<double>& target, const FitOptions& options,
              const ProgressCallback& progress) {
  require_finite(design, "the design");
  const EngineChoice choice = engine_choice(options);
  const Fit found = engine_by_name(choice.engine)(DenseDesign(to_matrix(design)),
                                                  checked_target(design, target, options),
                                                  choice.options, progress);
  const ardent::Posterior& posterior = found.posterior;
  return {.active = posterior.active,
          .mean = ardent::numbers_of(posterior.mean),
          .precision = ardent::numbers_of(posterior.alpha),
          .relevance = ardent::numbers_of(posterior.gamma),
          .covariance = public_matrix(posterior.covariance),
          .variance = ardent::numbers_of(posterior.variance),
          .has_bias = posterior.has_bias,
          .bias = posterior.bias,
          .noise_variance = posterior.noise_variance,
          .log_evidence = posterior.log_evidence,
          .converged = found.report.status == Status::converged,
          .warnings = found.report.warnings};
}

Moments predict(const Posterior& posterior, const Matrix& design) {
  require_finite(design, "the design");
  const std::size_t kept = posterior.active.size(), bias = posterior.has_bias ? 1 : 0;
  if (posterior.mean.size() != kept || posterior.variance.size() != kept + bias ||
      (kept > 0 && (posterior.active.front() < 0 || posterior.active.back() >= design.cols()))) {
    throw InputError(fmt::format("a posterior of {} columns up to {} and a design of {} columns",
                                 kept, kept > 0 ? posterior.active.back() : 0, design.cols()));
  }
  ardent::Posterior inner;
  inner.covariance = to_matrix(posterior.covariance);
  inner.variance = to_vector(posterior.variance);
  inner.has_bias = posterior.has_bias;
  const ardent::Matrix phi = to_matrix(design)(Eigen::all, posterior.active);
  ardent::Vector mean = phi * to_vector(posterior.mean);
  mean.array() += posterior.bias;
  return {ardent::numbers_of(mean), ardent::numbers_of(row_variances(inner, phi))};
}

}  // namespace v0
}  // namespace ardent
