#include "ardent/estimators/grid_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/base/stopwatch.h"
#include "ardent/estimators/data_checksum.h"
#include "ardent/estimators/grid_distances.h"
#include "ardent/estimators/grid_journal.h"

namespace ardent {
namespace {

bool larger_is_better(const std::string& pick) {
  return pick == "accuracy" || pick == "r2" || pick == "evidence";
}

std::string resolve_pick(const std::string& pick, Task task) {
  const std::vector<std::string> picks =
      task == Task::classification ? std::vector<std::string>{"accuracy", "log_loss", "evidence"}
                                   : std::vector<std::string>{"rmse", "r2", "nlpd", "evidence"};
  if (pick == "auto") return picks.front();
  if (std::find(picks.begin(), picks.end(), pick) == picks.end()) {
    throw InputError(fmt::format("--pick must be auto or, for {}, one of {}, not {}",
                                 task_name(task), fmt::join(picks, ", "), ardent::in_quotes(pick)));
  }
  return pick;
}

/// The options of every point, checked; all must mean the same task.
std::vector<TrainOptions> all_options(const Dataset& data, const Grid& grid,
                                      const TrainOptions& base) {
  std::vector<TrainOptions> options;
  for (Index p = 0; p < grid.size(); ++p) {
    options.push_back(grid.options(base, p));
    validate(options.back());
    if (resolve_task(data.labels, options.back().task) !=
        resolve_task(data.labels, options.front().task)) {
      throw InputError(
          "--grid task: scores of classification and of regression cannot be compared; search for "
          "each on its own");
    }
  }
  return options;
}

/// All that the scores depend on. An option that the grid sets is the grid's.
std::string describe_search(const Dataset& data, const Grid& grid, const TrainOptions& base,
                            const GridOptions& options, Index folds) {
  nlohmann::ordered_json search{{"rows", data.rows()},
                                {"features", data.cols()},
                                {"checksum", data_checksum(data)},
                                {"folds", folds}};
  if (folds > 0) {
    search["fold_seed"] = options.fold_seed;
    search["plug_in"] = options.predict.plug_in;
    search["moderated"] = options.predict.moderated;
  }
  for (const GridAxis& axis : grid.axes()) search["grid"][axis.name] = axis.values;
  auto fixed = recorded(base);
  for (const GridAxis& axis : grid.axes()) fixed.erase(axis.name);
  search["options"] = fixed;
  return search.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// One fit to all rows: what the evidence is picked by.
Evaluation fit_whole(const Dataset& data, const TrainOptions& options, SharedDistances* distances) {
  const Stopwatch watch;
  const Model model = train(data, options, {}, distances);
  Evaluation e;
  e.task = model.task;
  e.active = mean_active(model);
  e.total = static_cast<double>(model.total);
  e.evidence = log_evidence(model);
  e.seconds = watch.seconds();
  return e;
}

/// The names of scores: all scalars under folds, those that need no test rows without.
std::vector<std::string> score_names(Task task, bool folds) {
  static const std::set<std::string> of_a_fit{"active", "total", "evidence", "seconds"};
  Evaluation none;
  none.task = task;
  std::vector<std::string> names;
  for (const auto& [name, value] : scalars(none)) {
    if (folds || of_a_fit.contains(name)) names.push_back(name);
  }
  return names;
}

/// Every scalar of an evaluation, by name.
using FitScores = std::vector<std::pair<std::string, double>>;

double score_of(const FitScores& scores, std::string_view name) {
  return std::ranges::find(scores, name, &FitScores::value_type::first)->second;
}

/// The search while it runs: which fits are to be done, and what is finished.
class GridRun {
 public:
  GridRun(const Dataset& data, const Grid& grid, const TrainOptions& base,
          const GridOptions& options, const ProgressCallback& progress)
      : data_(data),
        grid_(grid),
        options_(options),
        progress_(progress),
        point_options_(all_options(data, grid, base)) {
    result_.task = resolve_task(data.labels, point_options_.front().task);
    result_.pick = resolve_pick(options.pick, result_.task);
    by_folds_ = result_.pick != "evidence";
    if (by_folds_) {
      plan_ = plan_folds(data, point_options_.front().task, options.folds, options.fold_seed);
    }
    runs_ = by_folds_ ? std::ssize(plan_.splits) : 1;
    names_ = score_names(result_.task, by_folds_);
    result_.points.resize(grid.size());
    for (Index p = 0; p < grid.size(); ++p) point(p).values = grid.values(p);
    if (!options.journal.empty() && leads()) open_journal(base);
    for (Index p = 0; p < grid.size(); ++p) {
      if (point(p).scores.empty()) pending_.push_back(p);
    }
  }

  GridResult run() {
    const auto pending = std::ssize(pending_);
    const DistanceCache distances(point_options_, pending_, runs_, options_.distance_bytes);
    runs_left_.assign(pending_.size(), runs_);
    scores_.resize(pending_.size());
    if (options_.farm) {
      deal_out(distances);
    } else {
      parallel_for(pending * runs_, [&](Index fit) {
        // Fits are taken in order: all before the first that failed are done, so that the failure
        // reported is always the same one.
        if (failed_ || stopped_) return;
        const Index place = fit / runs_, run = fit % runs_;
        finish_fit(place, run, run_fit(pending_[place], run, distances));
      });
    }
    if (!leads()) return {};
    if (stopped_) {
      throw Error(
          fmt::format("the search was stopped after {} of {} fits", fits_done_, pending * runs_));
    }
    pick_best();
    return std::move(result_);
  }

 private:
  bool leads() const { return !options_.farm || options_.farm->leads(); }

  /// A task is "POINT RUN"; its result the scalars of its evaluation, in their order.
  void deal_out(const DistanceCache& distances) {
    std::vector<std::string> tasks;
    for (const Index p : pending_) {
      for (Index run = 0; run < runs_; ++run) tasks.push_back(fmt::format("{} {}", p, run));
    }
    const auto work = [&](const std::string& task) {
      const std::size_t blank = task.find(' ');
      const FitScores scores =
          run_fit(std::stol(task.substr(0, blank)), std::stol(task.substr(blank)), distances);
      std::string values;
      for (const auto& [name, value] : scores) {
        values.append(reinterpret_cast<const char*>(&value), sizeof value);
      }
      return values;
    };
    const auto take = [&](std::size_t task, const std::string& values) {
      Evaluation none;
      none.task = result_.task;
      FitScores scores = scalars(none);
      for (std::size_t s = 0; s < scores.size(); ++s) {
        std::memcpy(&scores[s].second, values.data() + s * sizeof(double), sizeof(double));
      }
      const auto fit = static_cast<Index>(task);
      finish_fit(fit / runs_, fit % runs_, std::move(scores));
    };
    options_.farm->run(tasks, work, take);
  }

  GridPoint& point(Index p) { return result_.points[p]; }

  void open_journal(const TrainOptions& base) {
    const Index folds = by_folds_ ? runs_ : 0;
    journal_ = std::make_unique<GridJournal>(
        options_.journal,
        GridSearchRecord{data_.source, describe_search(data_, grid_, base, options_, folds),
                         grid_.size(), names_, runs_});
    for (const auto& [p, scores] : journal_->finished()) point(p).scores = scores;
    result_.resumed = std::ssize(journal_->finished());
  }

  FitScores run_fit(Index p, Index run, const DistanceCache& distances) {
    const TrainOptions& options = point_options_[p];
    SharedDistances* const shared = distances.of(run, options);
    try {
      return scalars(by_folds_ ? evaluate_fold(data_, plan_, run, options, options_.predict, shared)
                               : fit_whole(data_, options, shared));
    } catch (const InputError& error) {
      failed_ = true;
      throw InputError(fmt::format("{}: {}", grid_.name(p), error.what()));
    } catch (...) {
      failed_ = true;
      throw;
    }
  }

  void finish_fit(Index place, Index run, FitScores scores) {
    const auto at = static_cast<std::size_t>(place);
    const std::lock_guard lock(mutex_);
    auto& of_runs = scores_[at];
    of_runs.resize(static_cast<std::size_t>(runs_));
    const double evidence = score_of(scores, "evidence");
    const auto active = static_cast<Index>(score_of(scores, "active"));
    of_runs[static_cast<std::size_t>(run)] = std::move(scores);
    if (--runs_left_[at] == 0) {
      GridPoint& finished = point(pending_[at]);
      for (const std::string& name : names_) {
        auto& [own, values] = finished.scores.emplace_back(name, std::vector<double>());
        for (const FitScores& one : of_runs) values.push_back(score_of(one, name));
      }
      of_runs = {};
      if (journal_) journal_->append(pending_[at], finished.scores);
    }
    ++fits_done_;
    const auto total = std::ssize(pending_) * runs_;
    if (progress_ && !progress_({"grid", fits_done_, total, evidence, active})) {
      stopped_ = fits_done_ < total;
    }
  }

  void pick_best() {
    const double sign = larger_is_better(result_.pick) ? 1 : -1;
    const auto better = [&](const GridPoint& a, const GridPoint& b) {
      const double score_a = sign * mean_score(a, result_.pick);
      const double score_b = sign * mean_score(b, result_.pick);
      if (std::isnan(score_a) || std::isnan(score_b)) return !std::isnan(score_a);
      if (score_a != score_b) return score_a > score_b;
      return mean_score(a, "active") < mean_score(b, "active");
    };
    for (Index p = 1; p < grid_.size(); ++p) {
      if (better(point(p), point(result_.best))) result_.best = p;
    }
  }

  const Dataset& data_;
  const Grid& grid_;
  const GridOptions& options_;
  const ProgressCallback& progress_;
  std::vector<TrainOptions> point_options_;
  bool by_folds_ = true;
  FoldPlan plan_;
  Index runs_ = 1;                  // fits a point
  std::vector<std::string> names_;  // of scores
  std::unique_ptr<GridJournal> journal_;
  std::vector<Index> pending_;  // points to be computed

  std::atomic<bool> failed_ = false;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;  // guards what follows
  GridResult result_;
  std::vector<std::vector<FitScores>> scores_;  // of pending points, one per run
  std::vector<Index> runs_left_;
  Index fits_done_ = 0;
};

}  // namespace

double mean_score(const GridPoint& point, const std::string& name) {
  for (const auto& [score, values] : point.scores) {
    if (score == name) return summarise(values).mean;
  }
  throw InputError(fmt::format("a grid's points have no score {}", ardent::in_quotes(name)));
}

GridResult grid_search(const Dataset& data, const Grid& grid, const TrainOptions& base,
                       const GridOptions& options, const ProgressCallback& progress) {
  if (data.labels.empty()) {
    throw InputError(fmt::format("{}: a search needs labels, and there are none", data.source));
  }
  return GridRun(data, grid, base, options, progress).run();
}

}  // namespace ardent
