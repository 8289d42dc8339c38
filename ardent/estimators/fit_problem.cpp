#include "ardent/estimators/fit_problem.h"

#include <fmt/format.h>

#include <optional>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/estimators/averaged_fit.h"
#include "ardent/estimators/bias_alone.h"
#include "ardent/estimators/engine_by_name.h"
#include "ardent/estimators/inner_folds.h"
#include "ardent/estimators/sparse_choice.h"
#include "ardent/estimators/subset_fit.h"
#include "ardent/estimators/support_choice.h"
#include "ardent/estimators/warm_start.h"
#include "ardent/inference/engines/exact.h"
#include "ardent/inference/evidence/support_prior.h"
#include "ardent/inference/stage_checkpoint.h"

namespace ardent {
namespace {

/// From positions in `columns` to what stands there.
void name_columns(const std::vector<Index>& columns, std::vector<Index>& active) {
  for (Index& k : active) k = columns[k];
}

void name_all_columns(const std::vector<Index>& columns, Fit& fit) {
  name_columns(columns, fit.posterior.active);
  for (PathPoint& stage : fit.report.path) name_columns(columns, stage.active);
}

/// The fit's columns again, under the pooled prior; stages and path stay those of the selection.
void refit(const Design& design, const Target& target, const PooledPrior& prior,
           const EngineOptions& options, Fit& fit) {
  const std::vector<Index> kept = fit.posterior.active;
  const auto columns = design.clone();
  columns->keep(kept);
  fit.posterior = fit_pooled(*columns, target, prior, options).posterior;
  name_columns(kept, fit.posterior.active);
}

/// Few columns and few rows: all subsets, in the place of what the evidence alone keeps.
void take_subsets(const Design& design, const Target& target, const EngineOptions& options,
                  Fit& fit) {
  auto posterior = fit_subsets(design, target, options);
  if (!posterior) return leave_bias_alone(design, target, fit);
  fit.posterior = std::move(*posterior);
  Report& report = fit.report;
  std::erase_if(report.warnings, says_no_column);
  report.stages.push_back({fit.posterior.log_evidence, std::ssize(fit.posterior.active), 0, 0, 0});
  if (!options.keep_stages) return;
  report.path.push_back({fit.posterior.active, fit.posterior.mean, fit.posterior.bias});
}

/// Columns that are worth less than their price leave the bias alone.
void keep_bias_where_it_is_enough(const SupportDecision& support, const Design& design,
                                  const Target& target, const EngineOptions& options, Fit& fit) {
  const bool finished = fit.report.status != Status::stopped;
  if (support.subsets && finished) return take_subsets(design, target, options, fit);
  // One column that separates the classes stalls the precisions, too, and is worth far more.
  const bool stalled =
      fit.report.candidates > 0 && fit.report.status == Status::stalled &&
      gain_over_bias(design, target, fit.posterior) < elementary::log(fit.report.candidates);
  const bool asked = support.few_columns && options.bias && !design.share() && finished;
  if (stalled || (asked && bias_is_likelier(design, target, options, fit.posterior))) {
    leave_bias_alone(design, target, fit);
  }
}

/// Where the decision is to average.
void average_with_path(const SupportDecision& support, const Design& design, const Target& target,
                       const EngineOptions& options, Fit& fit) {
  if (!support.averaged || fit.report.status == Status::stopped) return;
  if (!support.path->posterior.active.empty()) std::erase_if(fit.report.warnings, says_no_column);
  fit = averaged_fit(std::move(fit), *support.path, design, target, options);
}

/// What was chosen, and the noise that the choice was seen to have.
void report_support(const SupportDecision& support, Fit& fit) {
  if (support.reason.empty()) return;
  const bool priced = support.prior == SupportChoice::beta_binomial || support.subsets;
  const std::string_view chosen = support.averaged ? "beta-binomial and the path, averaged"
                                  : support.path   ? "path"
                                  : priced         ? "beta-binomial"
                                                   : "none";
  fit.report.notes.push_back(fmt::format("support prior: {} ({})", chosen, support.reason));
  if (support.path || support.noise_variance <= fit.posterior.noise_variance) return;
  fit.posterior.noise_variance = support.noise_variance;
}

/// Beside the evidence of what was kept, and the price of that many columns. Where nothing was:
/// noise gains g nats with a chance of about e^-g, so that beyond log(columns) less than one is
/// kept.
bool shrinkage_is_better(const SupportDecision& support, const Design& design, const Target& target,
                         const EngineOptions& options, const Fit& fit) {
  if (!support.shrinkage || fit.report.status == Status::stopped) return false;
  const auto kept = static_cast<Index>(fit.posterior.active.size());
  const auto columns = static_cast<double>(design.cols());
  if (kept == 0) {
    const double alone = bias_log_evidence(design, target, options);
    return support.shrinkage->log_evidence > alone + elementary::log(columns) &&
           shrinkage_wins(*support.shrinkage, alone);
  }
  const SupportPrior price(columns);
  return shrinkage_wins(*support.shrinkage,
                        fit.posterior.log_evidence + price.log_probability(kept));
}

/// Leaves the decision without it.
Fit take_shrinkage(SupportDecision& support) {
  Fit fit = std::move(support.shrinkage->fit);
  fit.report.engine = "shrinkage";
  fit.report.notes.push_back(
      fmt::format("support prior: none, one precision for all columns ({})", support.reason));
  return fit;
}

void refit_where_it_helps(const RefitChoice& choice, const Design& design, const Target& target,
                          const EngineOptions& options, Fit& fit) {
  if (fit.posterior.active.empty()) return;
  if (choice.helps()) refit(design, target, choice.prior, options, fit);
  const bool classes = target.likelihood == Likelihood::bernoulli;
  fit.report.notes.push_back(
      fmt::format("refit: {} ({} of held-out rows: {:.4g} with it, {:.4g} without)",
                  choice.helps() ? "on" : "off, since it does not help",
                  classes ? "log loss" : "squared error", choice.loss, choice.without));
}

/// Products with Phi and Phiᵀ are all it asks for, and sums over rows.
bool works_by_products(const std::string& engine) {
  return engine == "diagonal" || engine == "probes" || engine == "dqn" || engine == "path" ||
         engine == "shrinkage";
}

/// The options with a part of the checkpoint, if there is one: each fit of a problem has its own.
EngineOptions with_part(EngineOptions options, const std::shared_ptr<StageCheckpoint>& stages,
                        const std::string& name) {
  options.checkpoint = part_of(stages, name);
  return options;
}

TrainOptions with_part(TrainOptions options, const std::shared_ptr<StageCheckpoint>& stages,
                       const std::string& name) {
  options.engine_options.checkpoint = part_of(stages, name);
  return options;
}

/// What the engine is asked to fit, where it will be fitted.
std::unique_ptr<Design> design_of(const TrainingSet& set, const Problem& problem,
                                  const TrainOptions& options, Index columns) {
  const bool on_device =
      options.engine_options.accelerator &&
      choose_engine(options.engine, set.map->name(), std::ssize(problem.rows), columns) == "exact";
  auto design = on_device ? set.map->design_for_device(set.scaled, problem.rows)
                          : set.map->training_design(set.scaled, problem.rows);
  design->share_rows(set.data.share);
  return design;
}

/// Sparse data of classes; one model that is `alone` has no rule to follow.
FittedProblem fit_text(const Design& design, const Target& target, const EngineOptions& options,
                       bool alone, const std::optional<SupportRule>& rule,
                       const ProgressCallback& progress) {
  return alone ? fit_sparse(design, target, options, progress)
               : fit_sparse_class(design, target, options, rule, progress);
}

}  // namespace

FittedProblem fit_problem(const TrainingSet& set, const Problem& problem,
                          const TrainOptions& options, const std::optional<SupportRule>& rule,
                          const ProgressCallback& progress,
                          const std::shared_ptr<StageCheckpoint>& stages) {
  EngineOptions engine_options = options.engine_options;
  engine_options.seed = options.seed;
  const std::vector<Index> columns = set.map->candidates(problem.rows);
  std::shared_ptr<const Design> design = design_of(set, problem, options, std::ssize(columns));
  if (prefers_shrinkage(set.data, options)) {
    engine_options.checkpoint = stages;
    FittedProblem fitted =
        fit_text(*design, problem.target, engine_options, set.problems.size() == 1, rule, progress);
    name_all_columns(columns, fitted.fit);
    return fitted;
  }
  const std::string engine =
      choose_engine(options.engine, set.map->name(), design->all_rows(), design->cols());
  if (!works_by_products(engine)) refuse_shared_rows(*design, "the engine " + engine);
  SupportDecision support = choose_support_prior(
      set, problem, *design, with_part(options, stages, "support prior"), engine, rule, progress);
  if (support.design) design = support.design;
  engine_options.support_prior = support.prior;
  engine_options.candidates = support.candidates;
  const bool early_stop = options.early_stop == "cv";
  const bool classes = problem.target.likelihood == Likelihood::bernoulli;
  std::optional<RefitChoice> choice;
  if (early_stop || options.refit) {
    const InnerFolds folds(set, problem, with_part(engine_options, stages, "inner folds"), engine,
                           progress);
    if (early_stop) engine_options.max_stages = folds.best_stage();
    if (options.refit) choice = folds.best_prior(engine_options.max_stages);
  }
  if (options.warm_start) {
    engine_options.starting_point = starting_point(*options.warm_start, set, problem, columns);
  }
  const bool path_alone = support.path && !support.averaged;
  const std::string used = path_alone ? "path" : engine;
  Fit fit = path_alone ? std::move(*support.path)
                       : fit_by_name(engine, *design, problem.target,
                                     with_part(engine_options, stages, "fit"), progress);
  fit.report.engine = used;
  keep_bias_where_it_is_enough(support, *design, problem.target, engine_options, fit);
  if (shrinkage_is_better(support, *design, problem.target, engine_options, fit)) {
    const double strength = support.shrinkage->strength;
    fit = take_shrinkage(support);
    name_all_columns(columns, fit);
    return {std::move(fit), SupportRule{.strength = strength}};
  }
  average_with_path(support, *design, problem.target, engine_options, fit);
  report_support(support, fit);
  if (early_stop && fit.report.status == Status::iteration_limit) {
    fit.report.status = Status::chosen_stage;
  }
  if (choice) refit_where_it_helps(*choice, *design, problem.target, engine_options, fit);
  // Folds that score weights by themselves have chosen them for the probabilities they give alone.
  fit.posterior.plug_in |= classes && (early_stop || choice);
  name_all_columns(columns, fit);
  return {std::move(fit), support.rule};
}

}  // namespace ardent
