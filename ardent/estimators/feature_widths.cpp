#include "ardent/estimators/feature_widths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/data/folds.h"
#include "ardent/data/repeated_rows.h"
#include "ardent/inference/evidence/feature_factors.h"
#include "ardent/inference/row_counts.h"
#include "ardent/maps/linear.h"
#include "ardent/maps/rbf.h"
#include "ardent/model/predict.h"

namespace ardent {
namespace {

constexpr std::size_t kNamed = 6;   // features in the note
constexpr Index kFewestAsked = 60;  // distinct rows
constexpr Index kMostAsked = 1000;
constexpr Index kMostFeaturesAsked = 200;  // more take too long to learn
constexpr double kFewestOfEachClass = 12;
constexpr Index kQuarters = 4;  // one distinct row of so many is held out

/// Distinct rows in the order of their contents, evenly spaced, each with all of its copies:
/// neither the order of the rows nor whether copies are rows or weights has a part in it. One part
/// of four is the test of each split. None where there are too few.
std::vector<Split> quarters(const Features& rows) {
  const std::vector<Index> ranks = content_ranks(rows);
  const Index distinct = ranks.empty() ? 0 : *std::ranges::max_element(ranks) + 1;
  if (distinct < kFewestAsked) return {};
  const Index asked = std::min(distinct, kMostAsked);
  std::vector<Index> place(distinct, -1);  // among those asked
  for (Index k = 0; k < asked; ++k) place[k * distinct / asked] = k;
  std::vector<Split> splits(kQuarters);
  for (Index i = 0; i < std::ssize(ranks); ++i) {
    const Index k = place[ranks[i]];
    for (Index part = 0; k >= 0 && part < kQuarters; ++part) {
      (k % kQuarters == part ? splits[part].test : splits[part].train).push_back(i);
    }
  }
  return splits;
}

/// Log predictive density of each of these rows; of classes the log-likelihood.
Vector densities(const Model& model, const Dataset& rows, const Vector& t, Index positive) {
  constexpr double kLeastLikely = 1e-12;
  const Prediction says = predict(model, rows);
  Vector result(t.size());
  for (Index i = 0; i < t.size(); ++i) {
    if (model.task == Task::classification) {
      const double p = says.probabilities(i, t[i] > 0.5 ? positive : 1 - positive);
      result[i] = elementary::log(std::max(p, kLeastLikely));
      continue;
    }
    const double error = t[i] - says.mean[i], variance = says.variance[i];
    result[i] =
        -0.5 * (elementary::log(2 * std::numbers::pi * variance) + error * error / variance);
  }
  return result;
}

/// Every part of the target that is to be learnt from has rows of both classes.
bool both_classes(const Target& target, const std::vector<Split>& splits) {
  if (target.likelihood == Likelihood::gaussian) return true;
  return std::ranges::all_of(splits, [&](const Split& split) {
    const Vector t = target.t(split.train);
    return std::min(t.sum(), static_cast<double>(t.size()) - t.sum()) >= kFewestOfEachClass;
  });
}

std::string widths_note(const TrainingSet& set, const Vector& factors) {
  std::vector<Index> order = index_range(0, factors.size());
  std::ranges::stable_sort(order, std::greater<>(), [&](Index j) { return factors[j]; });
  std::string named;
  for (std::size_t k = 0; k < std::min(order.size(), kNamed); ++k) {
    const Index column = set.model.inputs[order[k]];
    const auto& names = set.data.feature_names;
    named += fmt::format("{}{} {:.3g}", k == 0 ? "" : ", ",
                         names.empty() ? fmt::format("feature {}", column + 1) : names[column],
                         factors[order[k]]);
  }
  return fmt::format("widths: factors per feature, learnt by the evidence of the process: {}{}",
                     named, order.size() > kNamed ? ", …" : "");
}

/// What a width per feature gains for held-out rows, in nats.
struct Gains {
  double rows = 0, common = 0, sum = 0, squares = 0;

  void add(const Vector& scores, const Vector& gain, const Vector& counts) {
    rows += counts.sum();
    common += counts.dot(scores);
    sum += counts.dot(gain);
    squares += counts.dot(gain.cwiseAbs2());
  }
  double mean() const { return sum / rows; }
  double error() const { return std::sqrt(std::max(0.0, squares / rows - mean() * mean()) / rows); }
  bool clear() const { return mean() > 2 * error(); }
  std::string note() const {
    return fmt::format(
        "widths: {} (log predictive density per held-out row: common {:.4f}, per feature {:.4f}, "
        "difference {:.4f} ± {:.4f})",
        clear() ? "per-feature" : "common", common / rows, common / rows + mean(), mean(), error());
  }
};

}  // namespace

FeatureWidthDecision choose_feature_widths(const Dataset& data, const TrainingSet& set,
                                           const TrainOptions& options,
                                           const TrainRows& train_rows) {
  if (options.map != RbfMap::kName || options.widths == "common") return {};
  if (options.widths == "per-feature") return {true};
  if (set.problems.size() > 1 || set.model.scaling.unit_rows() || options.sigma > 0 ||
      options.warm_start || cols(set.scaled) < 2 || cols(set.scaled) > kMostFeaturesAsked) {
    return {};
  }
  TrainOptions own = options;
  own.engine_options.keep_stages = false;
  const Problem& problem = set.problems.front();
  const Target& target = problem.target;
  const Vector counts = row_counts(target);
  Gains gains;
  const std::vector<Split> splits = quarters(set.scaled);
  if (!both_classes(target, splits)) return {};
  for (const Split& split : splits) {
    // As given: class weights and missing values are each training's own affair.
    const auto given = [&](const std::vector<Index>& which) {
      std::vector<Index> rows;
      for (const Index i : which) rows.push_back(set.rows[i]);
      return select_rows(data, rows);
    };
    const Dataset train = given(split.train), test = given(split.test);
    const auto judged = [&](const char* widths) {
      own.widths = widths;
      return densities(train_rows(train, own), test, target.t(split.test), problem.positive);
    };
    const Vector common = judged("common");
    gains.add(common, judged("per-feature") - common, counts(split.test));
    if (gains.mean() <= 0 || gains.clear()) break;
  }
  if (gains.rows == 0) return {};
  return {gains.clear(), gains.note()};
}

std::string scale_by_feature_widths(TrainingSet& set) {
  if (set.problems.size() > 1) {
    throw InputError(fmt::format(
        "widths per-feature is for regressions and two classes, but there are {} classes",
        set.model.classes.size()));
  }
  if (set.model.scaling.unit_rows()) {
    throw InputError("widths per-feature is not for the scale tfidf: choose another");
  }
  const Target& target = set.problems.front().target;
  const auto design = linear_design(set.scaled);
  const Matrix x = design->columns(index_range(0, cols(set.scaled)));
  const Vector factors = learn_feature_factors(x, target.t, row_counts(target));
  set.model.scaling.factor.array() *= factors.array();
  set.scaled =
      apply_scaling(select_columns(set.data.features, set.model.inputs), set.model.scaling);
  return widths_note(set, factors);
}

}  // namespace ardent
