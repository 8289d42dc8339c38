#include "ardent/estimators/bias_alone.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "ardent/base/elementary.h"
#include "ardent/inference/engines/exact.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/inference/evidence/support_prior.h"
#include "ardent/inference/row_counts.h"

namespace ardent {
namespace {

constexpr std::string_view kBiasAlone =
    "none of the columns is worth its price: the model is the bias alone";

/// The target's mean, where there is a bias to take it.
double mean_of_target(const Design& design, const Target& target, const Vector& counts,
                      bool has_bias) {
  if (!has_bias) return 0;
  return design.over_rows(counts.dot(target.t)) / design.over_rows(counts.sum());
}

}  // namespace

double gain_over_bias(const Design& design, const Target& target, const Posterior& posterior) {
  const Vector counts = row_counts(target);
  const double rows = design.over_rows(counts.sum());
  const double mean = mean_of_target(design, target, counts, posterior.has_bias);
  const Vector fitted =
      (design.columns(posterior.active) * posterior.mean).array() + posterior.bias;
  if (target.likelihood == Likelihood::gaussian) {
    const auto squares = [&](const Vector& f) {
      return design.over_rows(counts.dot((target.t - f).array().square().matrix()));
    };
    const double left = squares(fitted), alone = squares(Vector::Constant(target.t.size(), mean));
    return left > 0 ? rows / 2 * elementary::log(alone / left) : rows;
  }
  const double logit = posterior.has_bias ? elementary::log(mean / (1 - mean)) : 0;
  const Vector constant = Vector::Constant(target.t.size(), logit);
  return design.over_rows(bernoulli::log_likelihood(target.t, fitted, counts) -
                          bernoulli::log_likelihood(target.t, constant, counts));
}

bool says_no_column(const std::string& warning) {
  return warning == kBiasAlone || warning.starts_with("every weight would be pruned");
}

void leave_bias_alone(const Design& design, const Target& target, Fit& fit) {
  Posterior& posterior = fit.posterior;
  const Vector counts = row_counts(target);
  const double mean = mean_of_target(design, target, counts, posterior.has_bias);
  if (target.likelihood == Likelihood::gaussian) {
    const double free = std::max(design.over_rows(counts.sum()) - 1, 1.0);
    const double squares = counts.dot((target.t.array() - mean).square().matrix());
    posterior.noise_variance = design.over_rows(squares) / free;
    posterior.bias = mean;
  } else {
    posterior.bias = posterior.has_bias ? elementary::log(mean / (1 - mean)) : 0;
  }
  const Index bias = posterior.has_bias ? 1 : 0;
  posterior.active.clear();
  for (Vector* of_weights : {&posterior.mean, &posterior.alpha, &posterior.gamma}) {
    of_weights->resize(0);
  }
  posterior.variance = Vector(posterior.variance.tail(bias));
  if (posterior.covariance.size() > 0) {
    posterior.covariance = Matrix(posterior.covariance.bottomRightCorner(bias, bias));
  }
  std::erase_if(fit.report.warnings, says_no_column);
  fit.report.warnings.emplace_back(kBiasAlone);
}

bool bias_is_likelier(const Design& design, const Target& target, const EngineOptions& options,
                      const Posterior& posterior) {
  const SupportPrior price(static_cast<double>(design.cols()));
  const auto kept = static_cast<Index>(posterior.active.size());
  return posterior.log_evidence + price.log_probability(kept) <=
         bias_log_evidence(design, target, options);
}

}  // namespace ardent
