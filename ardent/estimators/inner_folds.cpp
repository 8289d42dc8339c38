#include "ardent/estimators/inner_folds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/design/row_subset.h"
#include "ardent/estimators/engine_by_name.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/inference/row_counts.h"
#include "ardent/inference/stage_checkpoint.h"
#include "ardent/inference/target_folds.h"
#include "ardent/model/augmented_variance.h"
#include "ardent/model/block_prediction.h"
#include "ardent/model/evidence_model.h"

namespace ardent {
namespace {

constexpr double kPowers[] = {0, 0.5, 1};
constexpr double kWeakest = 1e-5;

Target select(const Target& target, std::span<const Index> rows) {
  Target selected{target.likelihood, target.t(rows)};
  if (target.weights.size() > 0) selected.weights = target.weights(rows);
  return selected;
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
                        const Vector& augmented = {}) {
  const Matrix phi = held_out.columns(posterior.active);
  const Vector mean = (phi * posterior.mean).array() + posterior.bias;
  const Vector variance = augmented.size() > 0 ? augmented : row_variances(posterior, phi);
  const bool plug_in = posterior.plug_in || posterior.covariance.size() == 0;
  const Vector counts = row_counts(target);
  double sum = 0;
  for (Index i = 0; i < mean.size(); ++i) {
    const double weight = counts[i];
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
                  const std::vector<Index>& rows, HeldOut& result) {
  const Matrix phi = held_out.columns(posterior.active);
  const Vector mean = (phi * posterior.mean).array() + posterior.bias;
  const Vector variance = row_variances(posterior, phi);
  const bool plug_in = posterior.plug_in || posterior.covariance.size() == 0;
  const Vector counts = row_counts(target);
  double sum = 0;
  for (Index i = 0; i < mean.size(); ++i) {
    const double weight = counts[i];
    double loss = 0;
    if (target.likelihood == Likelihood::gaussian) {
      loss = weight * (target.t[i] - mean[i]) * (target.t[i] - mean[i]);
      result.spread += weight * variance[i];
    } else {
      const double f = plug_in ? mean[i] : moderated_logit(mean[i], variance[i]);
      loss = weight * bernoulli::log1p_exp(target.t[i] > 0.5 ? -f : f);
    }
    sum += loss;
    result.by_row[rows[static_cast<std::size_t>(i)]] = loss;
  }
  result.rows += counts.sum();
  result.losses.push_back(sum);
}

std::vector<Index> rows_at(const Problem& problem, std::span<const Index> positions) {
  std::vector<Index> rows;
  for (const Index i : positions) rows.push_back(problem.rows[i]);
  return rows;
}

/// The variance of held-out rows, whose mean is given, by the process with a kernel on every row
/// (augmented_variance.h). The set's map is rbf.
Vector augmented_variance(const TrainingSet& set, const Problem& problem, const Split& split,
                          const Posterior& posterior, const Vector& mean) {
  const double noise = posterior.noise_variance;
  if (posterior.covariance.size() == 0 || !(noise > 0)) return {};
  const std::vector<Index> rows = rows_at(problem, split.train);
  const MapPointer kernels = set.map->restricted(rows);
  const Matrix among = kernels->values(take_rows(set.scaled, rows));
  const Target target = select(problem.target, split.train);
  const Vector counts = row_counts(target);
  const double amplitude = best_amplitude(among, target.t, counts, noise, posterior.has_bias);
  const KernelProcess process(among, counts, {amplitude, noise, posterior.has_bias});
  const Features held_out = take_rows(set.scaled, rows_at(problem, split.test));
  return expected_square_error(process, process.mean_given(target.t), amplitude,
                               kernels->values(held_out).transpose(), mean);
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
      splits_(target_folds(problem.target.likelihood, problem.target.t, folds, options.seed,
                           problem.target.weights)) {
  options_.covariance = false;
}

std::shared_ptr<const Design> InnerFolds::share_rows_of(std::shared_ptr<const Matrix> phi) {
  std::vector<std::vector<Index>> held_out;
  for (const Split& split : splits_) held_out.push_back(split.test);
  sums_ = std::make_shared<FoldSums>(std::move(phi), row_counts(problem_.target), held_out);
  return std::make_shared<RowSubset>(sums_, index_range(0, problem_.target.t.size()),
                                     FoldSums::kAllRows);
}

InnerFolds::Fold InnerFolds::fold(std::size_t number) const {
  const Split& split = splits_[number];
  if (sums_) {
    return {std::make_unique<RowSubset>(sums_, split.train, static_cast<Index>(number)),
            std::make_unique<RowSubset>(sums_->phi(), split.test),
            select(problem_.target, split.train), select(problem_.target, split.test)};
  }
  const std::vector<Index> rows = rows_at(problem_, split.train);
  const std::vector<Index> held_out = rows_at(problem_, split.test);
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

Fit InnerFolds::fit_fold(std::size_t number, const Fold& own, const std::string& purpose,
                         EngineOptions options) const {
  options.checkpoint = part_of(options.checkpoint, fmt::format("fold {}, {}", number + 1, purpose));
  return fit_by_name(engine_, *own.design, own.target, options, progress_of_fold(number));
}

Index InnerFolds::best_stage() const {
  std::vector<std::vector<double>> scores;  // fold, stage
  std::size_t longest = 0;
  EngineOptions options = options_;
  options.keep_stages = true;
  for (std::size_t s = 0; s < splits_.size(); ++s) {
    const Fold one = fold(s);
    const Fit fit = fit_fold(s, one, "by stages", options);
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
  result.by_row = Vector::Zero(problem_.target.t.size());
  for (std::size_t s = 0; s < splits_.size(); ++s) {
    const Fold part = fold(s);
    const Fit fit = fit_fold(s, part, "scored", options);
    add_held_out(*part.held_out, part.held_out_target, fit.posterior, splits_[s].test, result);
  }
  return result;
}

HeldOut InnerFolds::bias_alone() const {
  HeldOut result;
  result.by_row.resize(problem_.target.t.size());
  for (const Split& split : splits_) {
    const Target known = select(problem_.target, split.train);
    const Target held_out = select(problem_.target, split.test);
    const Vector counts = row_counts(known), held_out_counts = row_counts(held_out);
    const double mean = options_.bias ? counts.dot(known.t) / counts.sum() : 0;
    const bool classes = known.likelihood == Likelihood::bernoulli;
    const double f = classes && options_.bias ? elementary::log(mean / (1 - mean)) : mean;
    Vector losses = (held_out.t.array() - f).square();
    for (Index i = 0; classes && i < losses.size(); ++i) {
      losses[i] = bernoulli::log1p_exp(held_out.t[i] > 0.5 ? -f : f);
    }
    losses.array() *= held_out_counts.array();
    result.by_row(split.test) = losses;
    result.losses.push_back(losses.sum());
    result.rows += held_out_counts.sum();
  }
  return result;
}

double InnerFolds::held_out_score(bool augmented) const {
  EngineOptions options = options_;
  options.covariance = true;
  double sum = 0;
  for (std::size_t s = 0; s < splits_.size(); ++s) {
    const Fold part = fold(s);
    const Fit fit = fit_fold(s, part, "scored", options);
    const Posterior& posterior = fit.posterior;
    const Vector mean =
        (part.held_out->columns(posterior.active) * posterior.mean).array() + posterior.bias;
    const Vector variance =
        augmented ? augmented_variance(set_, problem_, splits_[s], posterior, mean) : Vector();
    sum += predictive_score(*part.held_out, part.held_out_target, posterior, variance);
  }
  return sum;
}

RefitChoice InnerFolds::best_prior(Index stages) const {
  EngineOptions options = options_;
  if (stages > 0) options.max_stages = stages;
  std::vector<Fold> folds;  // on the kept columns only, so all of them fit in memory
  double without = 0;
  for (std::size_t s = 0; s < splits_.size(); ++s) {
    Fold one = fold(s);
    const Fit fit = fit_fold(s, one, "to be shrunk", options);
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
