#include "ardent/estimators/fit_problem.h"

#include <optional>

#include "ardent/estimators/inner_folds.h"
#include "ardent/inference/engine_by_name.h"

namespace ardent {
namespace {

/// The fit's columns again, under the pooled prior; stages and path stay those of the selection.
void refit(const Design& design, const Target& target, const PooledPrior& prior,
           const EngineOptions& options, Fit& fit) {
  const std::vector<Index> kept = fit.posterior.active;
  const auto columns = design.clone();
  columns->keep(kept);
  fit.posterior = fit_pooled(*columns, target, prior, options).posterior;
  for (Index& k : fit.posterior.active) k = kept[static_cast<std::size_t>(k)];
}

}  // namespace

Fit fit_problem(const Problem& problem, const Candidates& candidates, const TrainOptions& options,
                const ProgressCallback& progress, std::shared_ptr<const StartingPoint> start) {
  EngineOptions engine_options = options.engine_options;
  engine_options.seed = options.seed;
  const auto design = candidates.design(problem.rows);
  const std::string engine =
      choose_engine(options.engine, candidates.kind(), design->rows(), design->cols());
  const bool early_stop = options.early_stop == "cv";
  std::optional<PooledPrior> prior;
  if (early_stop || options.refit) {
    const InnerFolds folds(problem, candidates, engine_options, engine, progress);
    if (early_stop) engine_options.max_stages = folds.best_stage();
    if (options.refit) prior = folds.best_prior(engine_options.max_stages);
  }
  engine_options.starting_point = std::move(start);
  Fit fit = engine_by_name(engine)(*design, problem.target, engine_options, progress);
  if (early_stop && fit.report.status == Status::iteration_limit) {
    fit.report.status = Status::chosen_stage;
  }
  if (prior && !fit.posterior.active.empty()) {
    refit(*design, problem.target, *prior, engine_options, fit);
  }
  return fit;
}

std::string choose_engine(const std::string& engine, MapKind map, Index rows, Index cols) {
  if (engine != "auto") return engine;
  const auto n = static_cast<double>(rows), m = static_cast<double>(cols);
  // Multiplications of one Hessian (or kernel) matrix; a second or so at 1e10.
  const double product = std::min(n, m) * n * m;
  if (product <= 1e10 || (m <= 2000 && product <= 2e11)) return "exact";
  return map == MapKind::linear ? "diagonal" : "sequential";
}

}  // namespace ardent
