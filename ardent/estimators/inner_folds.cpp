#include "ardent/estimators/inner_folds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/estimators/engine_by_name.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/model/augmented_variance.h"
#include "ardent/model/block_prediction.h"
#include "ardent/model/evidence_model.h"

namespace ardent {
namespace {

constexpr double kPowers[] = {0, 0.5, 1};
constexpr double kWeakest = 1e-5;

std::vector<Split> inner_splits(const Target& target, Index folds, std::uint64_t seed) {
  if (target.likelihood == Likelihood::gaussian) {
    if (target.t.size() < 2) throw InputError("inner folds need at least two rows, found one");
    return shuffled_folds(target.t.size(), std::min<Index>(folds, target.t.size()), seed);
  }
  std::vector<std::uint32_t> classes;
  for (const double t : target.t) classes.push_back(t > 0.5 ? 1 : 0);
  const Index ones = std::count(classes.begin(), classes.end(), 1u);
  const Index rarer = std::min(ones, target.t.size() - ones);
  if (rarer < 2) {
    throw InputError(
        fmt::format("inner folds need at least two rows of each class, found {}: train without "
                    "early-stop and refit",
                    rarer));
  }
  return stratified_folds(classes, std::min(folds, rarer), seed);
}

Target select(const Target& target, std::span<const Index> rows) {
  Target selected{target.likelihood, target.t(rows)};
  if (target.weights.size() > 0) selected.weights = target.weights(rows);
  return selected;
}

/// How often each row counts.
Vector row_counts(const Target& target) {
  return target.weights.size() > 0 ? target.weights : Vector(Vector::Ones(target.t.size()));
}

/// How well the weights do on rows that were not used for them: the larger the better.
double score(const Design& held_out, const Target& target, const PathPoint& weights) {
  Vector w = Vector::Zero(held_out.cols()), f;
  for (Index k = 0; k < weights.mean.size(); ++k) {
    w[weights.active[k]] = weights.mean[k];
  }
  held_out.multiply(w, f);
  f.array() += weights.bias;
  const Vector counts = row_counts(target);
  if (target.likelihood == Likelihood::gaussian) {
    return -((target.t - f).array().square() * counts.array()).sum();
  }
  return bernoulli::log_likelihood(target.t, f, counts);
}

PathPoint as_path_point(const Posterior& posterior) {
  return {posterior.active, posterior.mean, posterior.bias};
}

/// The log density of rows that had no part in the posterior.
double predictive_score(const Design& held_out, const Target& target, const Posterior& posterior,
                        const Vector& extra_variance = {}) {
  const Matrix phi = held_out.columns(posterior.active);
  const Vector mean = (phi * posterior.mean).array() + posterior.bias;
  Vector variance = row_variances(posterior, phi);
  if (extra_variance.size() > 0) variance += extra_variance;
  const bool plug_in = posterior.plug_in || posterior.covariance.size() == 0;
  double sum = 0;
  for (Index i = 0; i < mean.size(); ++i) {
    const double weight = target.weights.size() > 0 ? target.weights[i] : 1;
    if (target.likelihood == Likelihood::gaussian) {
      const double spread = variance[i] + posterior.noise_variance, error = target.t[i] - mean[i];
      sum -=
          weight * 0.5 * (elementary::log(2 * std::numbers::pi * spread) + error * error / spread);
    } else {
      const double f = plug_in ? mean[i] : moderated_logit(mean[i], variance[i]);
      sum -= weight * bernoulli::log1p_exp(target.t[i] > 0.5 ? -f : f);
    }
  }
  return sum;
}

/// One fold more in the sums.
void add_held_out(const Design& held_out, const Target& target, const Posterior& posterior,
                  HeldOut& result) {
  const Matrix phi = held_out.columns(posterior.active);
  const Vector mean = (phi * posterior.mean).array() + posterior.bias;
  const Vector variance = row_variances(posterior, phi);
  const bool plug_in = posterior.plug_in || posterior.covariance.size() == 0;
  double sum = 0;
  for (Index i = 0; i < mean.size(); ++i) {
    const double weight = target.weights.size() > 0 ? target.weights[i] : 1;
    result.rows += weight;
    if (target.likelihood == Likelihood::gaussian) {
      sum += weight * (target.t[i] - mean[i]) * (target.t[i] - mean[i]);
      result.spread += weight * variance[i];
    } else {
      const double f = plug_in ? mean[i] : moderated_logit(mean[i], variance[i]);
      sum += weight * bernoulli::log1p_exp(target.t[i] > 0.5 ? -f : f);
    }
  }
  result.losses.push_back(sum);
}

/// What a kernel on each held-out row adds to its variance. The columns of an rbf design are its
/// own rows; where copies are left out, nothing is added.
Vector augmented_extra(const Design& design, const Vector& t, const Design& held_out,
                       const Posterior& posterior) {
  const double variance = (t.array() - t.mean()).square().mean();
  const bool every_row = design.rows() == design.cols();
  if (!(variance > 0) || posterior.covariance.size() == 0 || !every_row) return {};
  const AugmentedRows rows{design.columns(posterior.active),
                           Vector::Constant(t.size(), 1 / posterior.noise_variance), 1 / variance};
  const Matrix kernels = held_out.columns(index_range(0, held_out.cols())).transpose();
  return rows.extra_variance(posterior, kernels, held_out.columns(posterior.active));
}

}  // namespace

/// A fold's designs over the same columns, and their targets.
struct InnerFolds::Fold {
  std::unique_ptr<Design> design, held_out;
  Target target, held_out_target;
};

InnerFolds::InnerFolds(const TrainingSet& set, const Problem& problem, const EngineOptions& options,
                       const std::string& engine, const ProgressCallback& progress, Index folds)
    : set_(set),
      problem_(problem),
      options_(options),
      engine_(engine),
      progress_(progress),
      splits_(inner_splits(problem.target, folds, options.seed)) {
  options_.covariance = false;
}

InnerFolds::Fold InnerFolds::fold(const Split& split) const {
  std::vector<Index> rows, held_out;
  for (const Index i : split.train) rows.push_back(problem_.rows[i]);
  for (const Index i : split.test) held_out.push_back(problem_.rows[i]);
  const FeatureMap& map = *set_.map;
  return {map.training_design(set_.scaled, rows),
          map.restricted(map.candidates(rows))->design(take_rows(set_.scaled, held_out)),
          select(problem_.target, split.train), select(problem_.target, split.test)};
}

ProgressCallback InnerFolds::progress_of_fold(std::size_t number) const {
  if (!progress_) return {};
  return [this, number](const ProgressEvent& event) {
    ProgressEvent reported = event;
    reported.task = fmt::format("fold {}/{}", number + 1, splits_.size());
    return progress_(reported);
  };
}

Index InnerFolds::best_stage() const {
  std::vector<std::vector<double>> scores;  // fold, stage
  std::size_t longest = 0;
  EngineOptions options = options_;
  options.keep_stages = true;
  for (std::size_t s = 0; s < splits_.size(); ++s) {
    const Fold one = fold(splits_[s]);
    const Fit fit = engine_by_name(engine_)(*one.design, one.target, options, progress_of_fold(s));
    auto& of_fold = scores.emplace_back();
    for (const PathPoint& stage : fit.report.path) {
      of_fold.push_back(score(*one.held_out, one.held_out_target, stage));
    }
    longest = std::max(longest, of_fold.size());
  }
  std::size_t best = 0;
  double best_score = -std::numeric_limits<double>::infinity();
  for (std::size_t stage = 0; stage < longest; ++stage) {
    double sum = 0;
    for (const auto& of_fold : scores) sum += of_fold[std::min(stage, of_fold.size() - 1)];
    if (sum > best_score) {
      best_score = sum;
      best = stage;
    }
  }
  return static_cast<Index>(best) + 1;
}

HeldOut InnerFolds::held_out() const {
  EngineOptions options = options_;
  options.covariance = true;
  HeldOut result;
  for (std::size_t s = 0; s < splits_.size(); ++s) {
    const Fold part = fold(splits_[s]);
    const Fit fit =
        engine_by_name(engine_)(*part.design, part.target, options, progress_of_fold(s));
    add_held_out(*part.held_out, part.held_out_target, fit.posterior, result);
  }
  return result;
}

std::vector<double> InnerFolds::bias_losses() const {
  std::vector<double> losses;
  for (const Split& split : splits_) {
    const Target known = select(problem_.target, split.train);
    const Target held_out = select(problem_.target, split.test);
    const Vector counts = row_counts(known), held_out_counts = row_counts(held_out);
    const double mean = options_.bias ? counts.dot(known.t) / counts.sum() : 0;
    const bool classes = known.likelihood == Likelihood::bernoulli;
    const double f = classes && options_.bias ? elementary::log(mean / (1 - mean)) : mean;
    const Vector fitted = Vector::Constant(held_out.t.size(), f);
    losses.push_back(
        classes ? -bernoulli::log_likelihood(held_out.t, fitted, held_out_counts)
                : ((held_out.t - fitted).array().square() * held_out_counts.array()).sum());
  }
  return losses;
}

double InnerFolds::held_out_score(bool augmented) const {
  EngineOptions options = options_;
  options.covariance = true;
  double sum = 0;
  for (std::size_t s = 0; s < splits_.size(); ++s) {
    const Fold part = fold(splits_[s]);
    const Fit fit =
        engine_by_name(engine_)(*part.design, part.target, options, progress_of_fold(s));
    const Vector extra =
        augmented ? augmented_extra(*part.design, part.target.t, *part.held_out, fit.posterior)
                  : Vector();
    sum += predictive_score(*part.held_out, part.held_out_target, fit.posterior, extra);
  }
  return sum;
}

RefitChoice InnerFolds::best_prior(Index stages) const {
  EngineOptions options = options_;
  if (stages > 0) options.max_stages = stages;
  std::vector<Fold> folds;  // on the kept columns only, so all of them fit in memory
  double without = 0;
  for (std::size_t s = 0; s < splits_.size(); ++s) {
    Fold one = fold(splits_[s]);
    const Fit fit = engine_by_name(engine_)(*one.design, one.target, options, progress_of_fold(s));
    without += score(*one.held_out, one.held_out_target, as_path_point(fit.posterior));
    one.design->keep(fit.posterior.active);
    one.held_out->keep(fit.posterior.active);
    folds.push_back(std::move(one));
  }
  PooledPrior best;
  double best_score = -std::numeric_limits<double>::infinity();
  for (const double power : kPowers) {
    double previous = -std::numeric_limits<double>::infinity();
    for (double strength = 1; strength > kWeakest; strength /= std::sqrt(10.0)) {
      const PooledPrior prior{strength, power};
      double sum = 0;
      for (const Fold& one : folds) {
        const Fit fit = fit_pooled(*one.design, one.target, prior, options_);
        sum += score(*one.held_out, one.held_out_target, as_path_point(fit.posterior));
      }
      if (sum > best_score) {
        best_score = sum;
        best = prior;
      }
      if (sum < previous) break;  // past the best strength of this power
      previous = sum;
    }
  }
  const double rows = row_counts(problem_.target).sum();
  return {best, -best_score / rows, -without / rows};
}

}  // namespace ardent
