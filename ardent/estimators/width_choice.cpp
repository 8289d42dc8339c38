#include "ardent/estimators/width_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>
#include <optional>

#include "ardent/base/elementary.h"
#include "ardent/data/repeated_rows.h"
#include "ardent/estimators/inner_folds.h"
#include "ardent/inference/row_counts.h"
#include "ardent/maps/rbf.h"
#include "ardent/maps/shared_distances.h"

namespace ardent {
namespace {

constexpr std::array kWidths{0.25, 0.5, 1.0, 2.0, 4.0};  // times the median distance
constexpr int kMiddle = 2;
constexpr double kLearnt = 0.02;  // nats per row by which a model must beat having none
constexpr Index kWidthFolds = 4;
constexpr Index kFewestRows = 8;  // of a regression, and of each class twice as few
constexpr Index kRowsOfOne = 1000, kRowsOfEach = 300;
constexpr Index kMostProblems = 10;
constexpr double kFewRows = 500;  // of which folds are drawn
constexpr Index kRepeats = 3;     // times
constexpr std::size_t kDistanceBytes = std::size_t{1} << 30;

/// So many of 0 … count − 1, evenly spaced.
std::vector<Index> spread(Index count, Index wanted) {
  const Index kept = std::min(count, wanted);
  std::vector<Index> chosen;
  for (Index i = 0; i < kept; ++i) chosen.push_back(i * count / kept);
  return chosen;
}

/// Copies of a row with one target are one row that counts for all of them, and rows come in the
/// order of their contents: weights and repeated rows, in any order, choose the same width.
Problem merged(const Problem& problem, const std::vector<Index>& ranks) {
  const Target& target = problem.target;
  const Vector counts = row_counts(target);
  std::vector<Index> order;
  for (Index i = 0; i < target.t.size(); ++i) {
    if (counts[i] > 0) order.push_back(i);
  }
  const auto key = [&](Index i) { return std::pair(ranks[problem.rows[i]], target.t[i]); };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return key(a) < key(b); });
  Problem distinct{problem.positive, problem.negative, {}, {target.likelihood, {}}};
  std::vector<double> t, weights;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Index i = order[k];
    if (k > 0 && key(order[k - 1]) == key(i)) {
      weights.back() += counts[i];
      continue;
    }
    distinct.rows.push_back(problem.rows[i]);
    t.push_back(target.t[i]);
    weights.push_back(counts[i]);
  }
  distinct.target.t = Eigen::Map<const Vector>(t.data(), std::ssize(t));
  if (target.weights.size() > 0 || t.size() < order.size()) {
    distinct.target.weights = Eigen::Map<const Vector>(weights.data(), std::ssize(weights));
  }
  return distinct;
}

Problem thinned(const Problem& problem, Index most) {
  const std::vector<Index> which = spread(std::ssize(problem.rows), most);
  Problem fewer{problem.positive, problem.negative, {}, {problem.target.likelihood, {}}};
  for (const Index i : which) fewer.rows.push_back(problem.rows[i]);
  fewer.target.t = problem.target.t(which);
  if (problem.target.weights.size() > 0) fewer.target.weights = problem.target.weights(which);
  return fewer;
}

bool enough_rows(const Problem& problem) {
  const Target& target = problem.target;
  const Index rows = target.t.size();
  if (target.likelihood == Likelihood::gaussian) return rows >= kFewestRows;
  const auto ones = static_cast<Index>((target.t.array() > 0.5).count());
  return std::min(ones, rows - ones) >= kFewestRows / 2;
}

/// Those that are judged: few enough, of few enough rows.
std::vector<Problem> judged_problems(const TrainingSet& set) {
  const std::vector<Problem>& problems = set.problems;
  const std::vector<Index> ranks = content_ranks(set.scaled);
  std::vector<Problem> judged;
  const Index most = problems.size() == 1 ? kRowsOfOne : kRowsOfEach;
  for (const Index p : spread(std::ssize(problems), kMostProblems)) {
    Problem fewer = thinned(merged(problems[p], ranks), most);
    if (enough_rows(fewer)) judged.push_back(std::move(fewer));
  }
  return judged;
}

/// Σ log p(t) where nothing but the share of ones, or the target's mean and variance, is known.
double score_of_nothing(const Target& target) {
  const double rows = row_count(target);
  const Vector weights = row_counts(target);
  const double mean = weights.dot(target.t) / rows;
  if (target.likelihood == Likelihood::bernoulli) {
    return rows * (mean * elementary::log(mean) + (1 - mean) * elementary::log1p(-mean));
  }
  const double variance = weights.dot((target.t.array() - mean).square().matrix()) / rows;
  return -0.5 * rows * (elementary::log(2 * std::numbers::pi * variance) + 1);
}

EngineOptions growing_options(const TrainOptions& options, bool regression) {
  EngineOptions own = options.engine_options;
  own.seed = options.seed;
  own.max_stages = 0;
  own.keep_stages = false;
  const bool priced =
      options.support_prior == "beta-binomial" || (regression && options.support_prior == "auto");
  own.support_prior = priced ? SupportChoice::beta_binomial : SupportChoice::none;
  own.candidates = 0;
  return own;
}

MapPointer rbf_map(const TrainingSet& set, double sigma, Index centres,
                   SharedDistances* distances) {
  return RbfMap::build({set.scaled, set.rows, set.model.inputs, distances},
                       {.sigma = sigma, .centres = centres});
}

double sigma_of(const FeatureMap& map) {
  return static_cast<const RbfMap&>(map).sigma();
}

/// Mean log-likelihood of a held-out row at each width; computed when asked for.
class WidthScores {
 public:
  WidthScores(const TrainingSet& set, const TrainOptions& options, double median,
              std::vector<Problem> judged, const ProgressCallback& progress)
      : set_(set),
        regression_(set.model.task == Task::regression),
        engine_options_(growing_options(options, regression_)),
        centres_(options.centres),
        augmented_(options.variance == "augmented"),
        median_(median),
        judged_(std::move(judged)),
        distances_(kDistanceBytes),
        progress_(progress) {
    for (const Problem& problem : judged_) rows_ += row_count(problem.target);
    if (rows_ <= kFewRows) repeats_ = kRepeats;
  }

  double operator[](int width) {
    if (width < 0 || width >= std::ssize(kWidths)) return -std::numeric_limits<double>::infinity();
    auto& score = scores_[width];
    if (!score) score = measured(median_ * kWidths[width]);
    return *score;
  }

  /// What a model without any kernel would score.
  double nothing() const {
    double sum = 0;
    for (const Problem& problem : judged_) sum += score_of_nothing(problem.target);
    return sum / rows_;
  }

  std::string note(int chosen) const {
    std::string tried;
    for (std::size_t w = 0; w < kWidths.size(); ++w) {
      if (!scores_[w]) continue;
      tried += fmt::format("{}{} × {:.4f}", tried.empty() ? "" : ", ", kWidths[w], *scores_[w]);
    }
    return fmt::format(
        "sigma: {:.6g}, {} × the median distance between rows ({} per held-out row of {} folds: "
        "{})",
        median_ * kWidths[chosen], kWidths[chosen],
        regression_ ? "log predictive density" : "log-likelihood", repeats_ * kWidthFolds, tried);
  }

 private:
  double measured(double sigma) {
    set_.map = rbf_map(set_, sigma, centres_, &distances_);
    EngineOptions own = engine_options_;
    double sum = 0;
    for (Index repeat = 0; repeat < repeats_; ++repeat, ++own.seed) {
      for (const Problem& problem : judged_) {
        const InnerFolds folds(set_, problem, own, "growing", progress_, kWidthFolds);
        sum += folds.held_out_score(regression_ && augmented_);
      }
    }
    return sum / rows_ / static_cast<double>(repeats_);
  }

  TrainingSet set_;
  bool regression_;
  EngineOptions engine_options_;
  Index centres_;
  bool augmented_;
  double median_;
  std::vector<Problem> judged_;
  double rows_ = 0;
  Index repeats_ = 1;  // of the folds, drawn anew
  SharedDistances distances_;
  const ProgressCallback& progress_;
  std::array<std::optional<double>, kWidths.size()> scores_;
};

}  // namespace

WidthDecision choose_width(const TrainingSet& set, const TrainOptions& options,
                           const ProgressCallback& progress) {
  const double twice_median = sigma_of(*rbf_map(set, 0, 0, nullptr));
  std::vector<Problem> judged = judged_problems(set);
  if (judged.empty()) {
    return {twice_median,
            fmt::format("sigma: {:.6g}, twice the median distance between rows (too few rows for "
                        "folds)",
                        twice_median)};
  }
  WidthScores scores(set, options, twice_median / 2, std::move(judged), progress);
  int best = kMiddle;
  const int direction = scores[best + 1] > scores[best] ? 1 : -1;
  while (scores[best + direction] > scores[best]) best += direction;
  if (scores[best] < scores.nothing() + kLearnt) {
    for (int width = 0; width < std::ssize(kWidths); ++width) {
      if (scores[width] > scores[best]) best = width;
    }
  }
  return {twice_median / 2 * kWidths[best], scores.note(best)};
}

}  // namespace ardent
