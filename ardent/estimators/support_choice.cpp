#include "ardent/estimators/support_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ardent/design/dense.h"
#include "ardent/estimators/inner_folds.h"
#include "ardent/estimators/subset_fit.h"
#include "ardent/inference/evidence/support_prior.h"
#include "ardent/inference/path/path.h"
#include "ardent/inference/path/shrinkage.h"
#include "ardent/inference/row_counts.h"
#include "ardent/inference/stage_checkpoint.h"

namespace ardent {
namespace {

constexpr const char* kPricedName = "beta-binomial";
constexpr double kManyRows = 10;               // times the columns
constexpr double kMostFoldWork = 1e10;         // multiplications of one Hessian: folds at all
constexpr double kMostPlainWork = 1e8;         // the evidence alone on folds
constexpr double kMostShrinkageEntries = 1e6;  // of the design: shrinkage on folds
constexpr double kFewOwnColumns = 0.5;         // of the columns: the evidence alone on folds
constexpr double kClearly = 2;                 // standard errors of the rows' mean difference
constexpr double kCertain = 1e300;             // that other problems' folds chose it

bool can_be_folded(const Target& target) {
  // A row of weight two is as good as two rows.
  if (row_count(target) < kFewestFoldedRows) return false;
  if (target.likelihood == Likelihood::gaussian) return target.t.size() >= 10;
  const auto ones = static_cast<Index>(target.t.sum());
  return std::min(ones, target.t.size() - ones) >= 2;
}

double total(const std::vector<double>& losses) {
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

/// The mean of the rows' differences in its standard errors.
double in_standard_errors(const Vector& gain) {
  const auto count = static_cast<double>(gain.size());
  const double mean = gain.sum() / count;
  const double squares = (gain.array() - mean).square().sum();
  return mean / std::sqrt(squares / (count * (count - 1)));
}

/// Whether the held-out rows say so: their differences, row by row, are not chance.
bool clearly_lower(const HeldOut& own, const HeldOut& than) {
  return in_standard_errors(than.by_row - own.by_row) > kClearly;
}

/// Whether few of the columns say something of their own.
bool correlated(const Design& design, const Problem& problem, const TrainOptions& options) {
  return effective_candidates(design, row_counts(problem.target), options.engine_options.bias) <
         kFewOwnColumns * static_cast<double>(design.cols());
}

/// The scores of held-out rows so far, and what has won.
class SupportComparison {
 public:
  SupportComparison(const TrainingSet& set, const Problem& problem, const TrainOptions& options,
                    const std::string& engine, double columns, const ProgressCallback& progress)
      : set_(set),
        problem_(problem),
        options_(options.engine_options),
        engine_(engine),
        progress_(progress),
        rows_(row_count(problem.target)) {
    options_.seed = options.seed;
    options_.candidates = columns;
    options_.ridge = false;  // a rule for many classes names a stop of the one path
    bias_ = InnerFolds(set_, problem_, options_, engine_, progress_).bias_alone();
  }

  void ask(const std::string& name, SupportChoice prior, const Design& design) {
    EngineOptions own = options_for(name);
    own.support_prior = prior;
    InnerFolds folds(set_, problem_, own, engine_, progress_);
    if (const auto phi = matrix_of_regression(design)) design_ = folds.share_rows_of(phi);
    const HeldOut held_out = folds.held_out();
    if (!wins(name, held_out)) return;
    decision_ = {.prior = prior,
                 .candidates = prior == SupportChoice::none ? 0 : options_.candidates,
                 .noise_variance = (total(held_out.losses) - held_out.spread) / rows_,
                 .rule = SupportRule{prior}};
  }

  /// Classes: the price and a sparse stop of the path, averaged, where the path predicts better
  /// than no column does; else the price.
  void average_price_and_path(const Design& design) {
    EngineOptions own = options_for("path");
    own.rule = PathRule::one_standard_error;
    PathOnFolds path = fit_path_on_folds(design, problem_.target, own, progress_);
    decision_ = {.prior = SupportChoice::beta_binomial, .candidates = options_.candidates};
    decision_.rule = SupportRule{decision_.prior};
    if (path.losses.empty()) return;
    const double loss = total(path.losses), alone = total(bias_.losses);
    scores_ = fmt::format("path {:.4g}, no column {:.4g}", loss / rows_, alone / bias_.rows);
    if (!(loss < alone)) return;
    decision_.averaged = true;
    decision_.path = std::move(path.fit);
    decision_.rule = SupportRule{decision_.prior, path.place};
    best_ = {path.losses, rows_, path.by_row};
  }

  /// One precision for all columns, to be compared with the fit of all rows. Where the path stands
  /// there is no evidence with a price: held-out rows decide alone, clearly.
  void ask_shrinkage(const Design& design) {
    const double entries = static_cast<double>(design.rows()) * static_cast<double>(design.cols());
    if (entries > kMostShrinkageEntries) return;
    ShrinkageOnFolds shrunk =
        fit_shrinkage_on_folds(design, problem_.target, options_for("shrinkage"), progress_);
    if (shrunk.losses.empty()) return;
    const HeldOut& standing = best_.losses.empty() ? bias_ : best_;
    if (standing.by_row.size() != shrunk.by_row.size()) return;  // rows are too many to be kept
    const double gain = in_standard_errors(standing.by_row - shrunk.by_row);
    scores_ += fmt::format(", shrinkage {:.4g}", total(shrunk.losses) / rows_);
    const bool path_stands = decision_.path && !decision_.averaged;
    if (!(gain > (path_stands ? kClearly : 0))) return;
    decision_.shrinkage = {std::move(shrunk.fit), path_stands ? kCertain : shrunk.log_evidence,
                           shrunk.strength, gain};
  }

  /// Whether ℓ1 alone, on the first fold, does better than what has won so far. Where it does not
  /// the path has won by chance if it has, and it costs several times as much as all the rest.
  bool path_may_win(const Design& design) const {
    return first_fold_l1_loss(design, problem_.target, options_) < best_.losses.front();
  }

  void ask_path(const Design& design) {
    PathOnFolds path = fit_path_on_folds(design, problem_.target, options_for("path"), progress_);
    if (path.losses.empty() || !wins("path", {path.losses, rows_, path.by_row})) return;
    decision_ = {.path = std::move(path.fit), .rule = SupportRule{.path = path.place}};
  }

  SupportDecision decision() && {
    const bool regression = problem_.target.likelihood == Likelihood::gaussian;
    decision_.reason =
        fmt::format("{} of held-out rows: {}", regression ? "squared error" : "log loss", scores_);
    decision_.design = std::move(design_);
    if (!regression) decision_.noise_variance = 0;
    return std::move(decision_);
  }

 private:
  /// Of a candidate: the same, with a part of the checkpoint.
  EngineOptions options_for(const std::string& name) const {
    EngineOptions own = options_;
    own.checkpoint = part_of(own.checkpoint, name);
    return own;
  }

  /// True where it is better than no column and than what has won so far. The price stands where
  /// nothing has won: it leaves the bias alone where no column is worth it.
  bool wins(const std::string& name, const HeldOut& held_out) {
    const double loss = total(held_out.losses) / held_out.rows;
    scores_ += fmt::format("{}{} {:.4g}", scores_.empty() ? "" : ", ", name, loss);
    const bool first = best_.losses.empty(), stands = first && name == kPricedName;
    const bool better = first || clearly_lower(held_out, best_);
    if (!stands && !(better && beats_bias(held_out))) return false;
    best_ = held_out;
    return true;
  }

  /// Folds of a dense one ask for products with much the same columns (fold_sums.h); else null.
  std::shared_ptr<const Matrix> matrix_of_regression(const Design& design) const {
    const auto* dense = dynamic_cast<const DenseDesign*>(&design);
    const bool apt = dense && problem_.target.likelihood == Likelihood::gaussian &&
                     !design.share() && !options_.accelerator;
    return apt ? dense->values() : nullptr;
  }

  /// A regression clearly; of few rows with classes that would be too much to ask.
  bool beats_bias(const HeldOut& held_out) const {
    return problem_.target.likelihood == Likelihood::gaussian
               ? clearly_lower(held_out, bias_)
               : total(held_out.losses) < total(bias_.losses);
  }

  const TrainingSet& set_;
  const Problem& problem_;
  EngineOptions options_;
  const std::string& engine_;
  const ProgressCallback& progress_;
  double rows_;
  SupportDecision decision_;
  HeldOut best_;  // of what has won so far
  HeldOut bias_;  // of no column at all
  std::string scores_;
  std::shared_ptr<const Design> design_;  // with the sums of the folds; or null
};

SupportDecision follow(const SupportRule& rule, const Design& design, const Problem& problem,
                       const TrainOptions& options, const ProgressCallback& progress) {
  SupportDecision decision{.prior = rule.prior, .reason = "as the folds of most models chose"};
  if (rule.prior != SupportChoice::none) decision.candidates = static_cast<double>(design.cols());
  EngineOptions own = options.engine_options;
  own.seed = options.seed;
  if (rule.strength) {
    own.checkpoint = part_of(options.engine_options.checkpoint, "shrinkage");
    ShrinkageOnFolds shrunk =
        fit_shrinkage_on_folds(design, problem.target, own, progress, rule.strength);
    decision.shrinkage = {std::move(shrunk.fit), kCertain, *rule.strength, kCertain};
  }
  if (rule.path) {
    own.checkpoint = part_of(options.engine_options.checkpoint, "path");
    decision.path = fit_path_at(*rule.path, design, problem.target, own, progress);
    decision.averaged = rule.prior != SupportChoice::none;
  }
  return decision;
}

}  // namespace

bool shrinkage_wins(const ShrinkageCandidate& candidate, double log_evidence) {
  return candidate.standard_errors + (candidate.log_evidence - log_evidence) / 2 > kClearly;
}

SupportRule common_rule(const std::vector<SupportRule>& rules) {
  const auto alike = [](const SupportRule& a, const SupportRule& b) {
    return a.prior == b.prior && a.path.has_value() == b.path.has_value() &&
           a.strength.has_value() == b.strength.has_value();
  };
  const auto votes = [&](const SupportRule& rule) {
    return std::ranges::count_if(rules, [&](const SupportRule& r) { return alike(r, rule); });
  };
  SupportRule common = *std::ranges::max_element(rules, {}, votes);
  std::vector<Index> steps, reweightings;
  std::vector<double> strengths;
  for (const SupportRule& rule : rules) {
    if (rule.strength) strengths.push_back(*rule.strength);
    if (!rule.path) continue;
    steps.push_back(rule.path->step);
    reweightings.push_back(rule.path->reweighting);
  }
  const auto median = [](auto values) {
    std::ranges::sort(values);
    return values[(values.size() - 1) / 2];
  };
  if (common.path) common.path = PathPlace{median(steps), median(reweightings)};
  if (common.strength) common.strength = median(strengths);
  return common;
}

SupportDecision choose_support_prior(const TrainingSet& set, const Problem& problem,
                                     const Design& design, const TrainOptions& options,
                                     const std::string& engine,
                                     const std::optional<SupportRule>& rule,
                                     const ProgressCallback& progress) {
  constexpr auto kPriced = SupportChoice::beta_binomial, kAlone = SupportChoice::none;
  const bool free_of_prices =
      engine == "dqn" || engine == "path" || engine == "shrinkage" || engine == "thinned";
  if (options.support_prior == "none" || free_of_prices) return {kAlone};
  if (!set.map->linear()) {
    // Basis functions have an effective number (support_prior.h).
    return {options.support_prior == "beta-binomial" ? kPriced : kAlone};
  }
  const bool any_engine = options.engine == "auto";
  const auto n = static_cast<double>(design.all_rows()), m = static_cast<double>(design.cols());
  if (options.support_prior == "beta-binomial") return {kPriced, m};
  if (options.early_stop == "cv" || options.refit) return {kAlone};
  const bool classes = problem.target.likelihood == Likelihood::bernoulli;
  if (!classes && (engine == "diagonal" || engine == "probes") &&
      design.over_rows(row_count(problem.target)) < kManyRows * m) {
    return {kPriced, m, "columns are many, and too large for folds"};
  }
  if (engine != "exact" && engine != "sequential") return {kAlone};
  if (any_engine && !options.warm_start &&
      can_ask_subsets(design, problem.target, options.engine_options)) {
    return {.prior = kAlone, .reason = "the mean of all subsets of few columns", .subsets = true};
  }
  if (!SupportPrior(m).matters()) {
    return {.prior = kAlone, .reason = "few columns", .few_columns = m > 1};
  }
  if (row_count(problem.target) >= kManyRows * m)
    return {kPriced, m, "rows are many against columns"};
  const double work = n * m * std::min(n, m);
  if (work > kMostFoldWork || !can_be_folded(problem.target) || options.warm_start) {
    return {kPriced, m, "without folds"};
  }
  if (rule) return follow(*rule, design, problem, options, progress);
  SupportComparison comparison(set, problem, options, engine, m, progress);
  const bool shared = classes && correlated(design, problem, options);
  if (any_engine && classes && !shared) {
    comparison.average_price_and_path(design);
    comparison.ask_shrinkage(design);
    return std::move(comparison).decision();
  }
  if (any_engine && shared) comparison.ask_path(design);
  comparison.ask(kPricedName, kPriced, design);
  if (shared && work <= kMostPlainWork) comparison.ask("none", kAlone, design);
  if (any_engine && !shared && comparison.path_may_win(design)) comparison.ask_path(design);
  if (any_engine) comparison.ask_shrinkage(design);
  return std::move(comparison).decision();
}

}  // namespace ardent
