#include "ardent/estimators/grid_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/base/stopwatch.h"
#include "ardent/estimators/data_checksum.h"
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

/// Kernel distances by fold and what scales the rows, where at least two points would use them.
class DistanceCache {
 public:
  DistanceCache(const std::vector<TrainOptions>& options, std::span<const Index> points, Index runs,
                std::size_t bytes) {
    std::map<std::string, Index> users;
    for (const Index p : points) {
      const TrainOptions& mine = options[p];
      const MapEntry* map = find_map(mine.map);
      if (map && map->uses_distances) ++users[scaling_of(mine)];
    }
    std::erase_if(users, [](const auto& user) { return user.second < 2; });
    const auto shares = static_cast<std::size_t>(runs) * users.size();
    for (const auto& [scale, count] : users) {
      for (Index run = 0; run < runs; ++run) {
        shared_[{run, scale}] = std::make_unique<SharedDistances>(bytes / shares);
      }
    }
  }

  SharedDistances* of(Index run, const TrainOptions& options) const {
    const auto found = shared_.find({run, scaling_of(options)});
    return found == shared_.end() ? nullptr : found->second.get();
  }

 private:
  static std::string scaling_of(const TrainOptions& options) {
    return options.scale + ' ' + options.widths;
  }

  std::map<std::pair<Index, std::string>, std::unique_ptr<SharedDistances>> shared_;
};

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
    if (!options.journal.empty()) open_journal(base);
    for (Index p = 0; p < grid.size(); ++p) {
      if (point(p).scores.empty()) pending_.push_back(p);
    }
  }

  GridResult run() {
    const auto pending = std::ssize(pending_);
    const DistanceCache distances(point_options_, pending_, runs_, options_.distance_bytes);
    runs_left_.assign(pending_.size(), runs_);
    evaluations_.resize(pending_.size());
    parallel_for(pending * runs_, [&](Index fit) {
      // Fits are taken in order: all before the first that failed are done, so that the failure
      // reported is always the same one.
      if (failed_ || stopped_) return;
      run_fit(fit / runs_, fit % runs_, distances);
    });
    if (stopped_) {
      throw Error(
          fmt::format("the search was stopped after {} of {} fits", fits_done_, pending * runs_));
    }
    pick_best();
    return std::move(result_);
  }

 private:
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

  void run_fit(Index place, Index run, const DistanceCache& distances) {
    const Index p = pending_[place];
    const TrainOptions& options = point_options_[p];
    SharedDistances* const shared = distances.of(run, options);
    try {
      finish_fit(place, run,
                 by_folds_ ? evaluate_fold(data_, plan_, run, options, options_.predict, shared)
                           : fit_whole(data_, options, shared));
    } catch (const InputError& error) {
      failed_ = true;
      throw InputError(fmt::format("{}: {}", grid_.name(p), error.what()));
    } catch (...) {
      failed_ = true;
      throw;
    }
  }

  void finish_fit(Index place, Index run, Evaluation evaluation) {
    const auto at = static_cast<std::size_t>(place);
    const std::lock_guard lock(mutex_);
    auto& evaluations = evaluations_[at];
    evaluations.resize(runs_);
    const double evidence = evaluation.evidence;
    const auto active = static_cast<Index>(evaluation.active);
    evaluations[run] = std::move(evaluation);
    if (--runs_left_[at] == 0) {
      GridPoint& finished = point(pending_[at]);
      finished.scores = by_name(evaluations);
      std::erase_if(finished.scores, [&](const auto& score) {
        return std::find(names_.begin(), names_.end(), score.first) == names_.end();
      });
      evaluations = {};  // a large grid's confusion matrices are not all kept
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
  std::vector<std::vector<Evaluation>> evaluations_;  // of pending points, one per run
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
