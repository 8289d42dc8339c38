#include "ardent/estimators/node_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "ardent/estimators/inner_folds.h"
#include "ardent/inference/path/shrinkage.h"
#include "ardent/inference/row_counts.h"
#include "ardent/maps/elm.h"

namespace ardent {
namespace {

constexpr Index kFewestForNodes = 5;        // rows of a class, for five folds
// A model that keeps every node is to be worth it: of a smaller difference folds know little.
constexpr double kWorthAllNodes = 0.95;  // of the log loss with a precision for each
constexpr double kFewestRowsForNodes = 40;  // each as often as it counts

Index rows_of_rarer_class(const Target& target) {
  const auto ones = static_cast<Index>(target.t.sum());
  return std::min(ones, target.t.size() - ones);
}

}  // namespace

bool may_share_precision(const TrainingSet& set, const TrainOptions& options) {
  return set.map->name() == ElmMap::kName && set.model.task == Task::classification &&
         options.engine == "auto" && options.support_prior == "auto" &&
         options.early_stop == "none" && !options.refit && !options.engine_options.keep_stages &&
         options.engine_options.max_stages == 0 && !options.warm_start;
}

NodeChoice choose_node_precisions(const TrainingSet& set, const Problem& problem,
                                  const TrainOptions& options, const std::string& engine,
                                  const std::optional<SupportRule>& rule,
                                  const ProgressCallback& progress) {
  if (rule && !rule->strength) return {};
  const bool few = rows_of_rarer_class(problem.target) < kFewestForNodes ||
                   row_count(problem.target) < kFewestRowsForNodes;
  if (few && !rule) return {};
  EngineOptions own = options.engine_options;
  own.seed = options.seed;
  const auto design = set.map->training_design(set.scaled, problem.rows);
  ShrinkageOnFolds shrunk = fit_shrinkage_on_folds(*design, problem.target, own, progress,
                                                   few ? rule->strength : std::nullopt);
  NodeChoice choice;
  if (rule) {
    choice.note = "hidden nodes: one precision for all, as the folds of most models chose";
  } else {
    const HeldOut alone = InnerFolds(set, problem, own, engine, progress).held_out();
    const double each = std::accumulate(alone.losses.begin(), alone.losses.end(), 0.0);
    const double all = std::accumulate(shrunk.losses.begin(), shrunk.losses.end(), 0.0);
    const bool shares = !shrunk.losses.empty() && all < kWorthAllNodes * each;
    const double rows = row_count(problem.target);
    choice.note = fmt::format(
        "hidden nodes: {} (log loss of held-out rows: {:.4g} with a precision for each, {:.4g} "
        "with "
        "one for all)",
        shares ? "one precision for all" : "a precision for each", each / rows, all / rows);
    choice.rule = SupportRule{};
    if (shares) choice.rule->strength = shrunk.strength;
    if (!shares) return choice;
  }
  choice.shrunk = std::move(shrunk.fit);
  choice.shrunk->report.engine = "shrinkage";
  return choice;
}

}  // namespace ardent
