#include "ardent/estimators/sparse_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "ardent/base/in_turn.h"
#include "ardent/base/memory_limit.h"
#include "ardent/base/parallel.h"
#include "ardent/data/folds.h"
#include "ardent/data/gathered_fold.h"
#include "ardent/estimators/class_choice.h"
#include "ardent/inference/path/path.h"
#include "ardent/inference/path/shrinkage.h"
#include "ardent/inference/row_counts.h"
#include "ardent/inference/stage_checkpoint.h"
#include "ardent/maps/linear.h"

namespace ardent {
namespace {

constexpr Index kFewestOfAClass = 5;  // rows, for five folds
constexpr Index kScalingRows = 1000;  // that suffice to choose a scaling
constexpr Index kOfEachClass = 50;    // on average, of many classes
constexpr Index kScalingProblems = 5;

/// Of the second most common class: of two the rarer one. 0 for a regression.
Index rows_of_second_class(const Dataset& data, const std::string& task) {
  const Labels& labels = data.labels;
  if (resolve_task(labels, task) != Task::classification) return 0;
  const ClassTable classes = make_classes(labels);
  if (classes.size() < 2) return 0;
  Vector counts = Vector::Zero(classes.size());
  for (const std::uint32_t id : encode(labels, classes)) ++counts[id];
  sum_over(data.share.get(), counts);
  std::nth_element(counts.begin(), counts.begin() + 1, counts.end(), std::greater());
  return static_cast<Index>(counts[1]);
}

bool has_rows_for_folds(const Target& target, const RowShare* share) {
  const double ones = sum_over(share, target.t.sum());
  const double rows = sum_over(share, static_cast<double>(target.t.size()));
  return std::min(ones, rows - ones) >= kFewestOfAClass;
}

/// Whole numbers from 0 on, in all shares of the rows.
bool are_counts(const SparseRows& sparse, const RowShare* share) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  const auto is_count = [](float x) { return x >= 0 && x == std::floor(x); };
  const std::span<const float> all = sparse.values.span();
  bool own = true;
  for (std::size_t begin = 0; own && begin < all.size(); begin += kPiece) {
    const auto piece = all.subspan(begin, std::min(kPiece, all.size() - begin));
    own = std::ranges::all_of(piece, is_count);
    release_pages(piece.data(), piece.size_bytes());
  }
  return max_over(share, own ? 0 : 1) == 0;
}

/// About as many rows as suffice, of each class its share.
Dataset scaling_rows(const Dataset& data, const TrainOptions& options) {
  const ClassTable classes = make_classes(data.labels);
  const Index parts =
      std::min(data.all_rows() / std::max(kScalingRows, kOfEachClass * classes.size()),
               rows_of_second_class(data, options.task) / kFewestOfAClass);
  if (parts < 2) return data;
  const auto class_of = encode(data.labels, classes);
  if (data.share) return gathered_fold(data, class_of, parts, options.seed);
  return select_rows(data, stratified_folds(class_of, parts, options.seed).front().test);
}

/// Log loss per held-out row of one against the rest at their best temperature.
double loss_of_classes(const TrainingSet& set, const EngineOptions& options) {
  const std::vector<Problem>& problems = set.problems;
  const RowShare* share = set.data.share.get();
  const std::vector<Index> asked = problems_for_folds(problems, kScalingProblems, share);
  if (asked.empty()) return 0;
  const auto design = linear_design(set.scaled);
  design->share_rows(set.data.share);
  std::vector<SupportRule> rules(asked.size());
  parallel_for_unless(share, std::ssize(asked), [&](Index k) {
    rules[k].strength = shrinkage_folds(*design, problems[asked[k]].target, options).strength;
  });
  const SupportRule rule = common_rule(rules);
  std::vector<Vector> held_out(problems.size());
  parallel_for_unless(share, std::ssize(problems), [&](Index p) {
    held_out[p] = shrinkage_folds(*design, problems[p].target, options, rule.strength).held_out;
  });
  const ClassTable& classes = set.model.classes;
  return calibrate_rest(classes, problems, held_out, encode(set.data.labels, classes), share)
      .log_loss;
}

/// Log loss per held-out row of shrinkage, the columns scaled as the options say.
double loss_as_scaled(const Dataset& data, TrainOptions options, const std::string& scale) {
  options.scale = scale;
  const TrainingSet set = make_training_set(data, options);
  options.engine_options.seed = options.seed;
  if (set.problems.front().negative < 0) return loss_of_classes(set, options.engine_options);
  const std::vector<Index> asked =
      problems_for_folds(set.problems, kScalingProblems, set.data.share.get());
  double sum = 0;
  for (const Index p : asked) {
    const Problem& problem = set.problems[p];
    const Features own = take_rows(set.scaled, problem.rows);
    const auto design = linear_design(own);
    design->share_rows(set.data.share);
    sum += shrinkage_folds(*design, problem.target, options.engine_options).loss;
  }
  return sum / static_cast<double>(std::max<std::size_t>(asked.size(), 1));
}

}  // namespace

bool prefers_shrinkage(const Dataset& data, const TrainOptions& options) {
  const bool nothing_else = options.engine == "auto" && options.support_prior == "auto" &&
                            options.early_stop == "none" && !options.refit &&
                            !options.engine_options.keep_stages && !options.warm_start;
  return nothing_else && options.map == LinearMap::kName && is_sparse(data.features) &&
         choose_engine("auto", options.map, data.all_rows(), data.cols()) == "diagonal" &&
         rows_of_second_class(data, options.task) >= kFewestOfAClass;
}

std::vector<Index> problems_for_folds(const std::vector<Problem>& problems, Index most,
                                      const RowShare* share) {
  std::vector<Index> able, chosen;
  for (std::size_t p = 0; p < problems.size(); ++p) {
    if (has_rows_for_folds(problems[p].target, share)) able.push_back(static_cast<Index>(p));
  }
  const Index count = std::ssize(able);
  if (count <= most) return able;
  for (Index k = 0; k < most; ++k) chosen.push_back(able[(2 * k + 1) * count / (2 * most)]);
  return chosen;
}

FittedProblem fit_sparse(const Design& design, const Target& target, EngineOptions options,
                         const ProgressCallback& progress) {
  options.support_prior = SupportChoice::none;
  FitOnFolds shrunk_fit = fit_shrinkage_on_folds(design, target, options, progress);
  const std::vector<double>& losses = shrunk_fit.losses;
  Fit& fit = shrunk_fit.fit;
  fit.report.engine = "shrinkage";
  if (losses.empty() || fit.report.status == Status::stopped) return {std::move(fit)};
  const double l1 = first_fold_l1_loss(design, target, options);
  if (!(l1 < losses.front())) {
    const double ratio = l1 / losses.front();
    fit.report.notes.push_back(fmt::format(
        "engine: shrinkage (l1 has {:.3g} times its log loss on held-out rows of one fold)",
        ratio));
    return {std::move(fit)};
  }
  options.checkpoint = part_of(options.checkpoint, "path");
  PathOnFolds path = fit_path_on_folds(design, target, options, progress);
  const double shrunk = std::accumulate(losses.begin(), losses.end(), 0.0);
  const double sparse = std::accumulate(path.losses.begin(), path.losses.end(), 0.0);
  const bool wins = !path.losses.empty() && sparse < shrunk;
  if (wins) {
    fit = std::move(path.fit);
    fit.report.engine = "path";
  }
  const double rows = design.over_rows(row_count(target));
  fit.report.notes.push_back(
      fmt::format("engine: {} (log loss of held-out rows: shrinkage {:.4g}, path {:.4g})",
                  fit.report.engine, shrunk / rows, sparse / rows));
  return {std::move(fit)};
}

FittedProblem fit_sparse_class(const Design& design, const Target& target, EngineOptions options,
                               const std::optional<SupportRule>& rule,
                               const ProgressCallback& progress) {
  options.support_prior = SupportChoice::none;
  const auto given = rule ? rule->strength : std::nullopt;
  ShrinkageOnFolds shrunk = fit_shrinkage_on_folds(design, target, options, progress, given);
  FittedProblem fitted{std::move(shrunk.fit), {}, std::move(shrunk.held_out)};
  fitted.fit.report.engine = "shrinkage";
  if (given) {
    fitted.fit.report.notes.push_back("shrinkage: as strong as the folds of other models chose");
  } else if (shrunk.strength > 0) {
    fitted.rule = SupportRule{.strength = shrunk.strength};
  }
  return fitted;
}

ScaleDecision decide_scale(const Dataset& data, const TrainOptions& options) {
  const auto* sparse = std::get_if<SparseRows>(&data.features);
  const bool by_units = options.engine == "path" || options.engine == "shrinkage";
  const bool open = options.scale == "auto" && options.map == LinearMap::kName && sparse &&
                    !data.has_gaps && data.layout.missing == "error";
  if (!open || !(by_units || prefers_shrinkage(data, options))) return {options.scale};
  if (rows_of_second_class(data, options.task) < kFewestOfAClass) return {"none"};
  const Dataset rows = scaling_rows(data, options);
  std::vector<std::string> scales{"none", "rms"};
  if (are_counts(*sparse, data.share.get())) scales.push_back("tfidf");
  std::string chosen, scores;
  double least = 0;
  for (const std::string& scale : scales) {
    const double loss = loss_as_scaled(rows, options, scale);
    scores += fmt::format("{}{} {:.4g}", scores.empty() ? "" : ", ", scale, loss);
    if (!chosen.empty() && !(loss < least)) continue;
    chosen = scale;
    least = loss;
  }
  return {chosen, fmt::format("scale: {} (log loss of held-out rows: {})", chosen, scores)};
}

}  // namespace ardent
