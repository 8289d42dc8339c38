#include "ardent/inference/path/path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>

#include "ardent/base/error.h"
#include "ardent/base/stopwatch.h"
#include "ardent/design/sparse.h"
#include "ardent/inference/engines/exact.h"
#include "ardent/inference/evidence/standard_units.h"
#include "ardent/inference/path/path_choice.h"
#include "ardent/inference/path/path_posterior.h"
#include "ardent/inference/path/saved_walk.h"
#include "ardent/inference/saved_report.h"

namespace ardent {
namespace {

constexpr Index kPathFolds = 5;

/// The walk over all rows, at the stop that was chosen.
struct PathWalk {
  L1Solution solution;
  Vector penalties;
  bool stopped = false;
};

PathWalk walk_to(const PathPlace& place, const L1Problem& problem, const L1Solution& empty,
                 const Vector& grid, const StandardProblem& standard, const EngineOptions& options,
                 const ProgressCallback& progress, Report& report) {
  PathWalk walk;
  // Iterates beyond ℓ1's are needed at the last λ alone.
  const auto last = [&](const PathStop& stop) {
    walk.solution = stop.solution;
    walk.penalties = stop.penalties;
    if (stop.reweighting > 0) return stop.reweighting < place.reweighting;
    const auto active = static_cast<Index>(stop.solution.active.size());
    report.stages.push_back({stop.solution.point.log_likelihood - standard.problem.log_volume,
                             active, stop.solution.newton_steps, 0});
    if (options.keep_stages) {
      std::vector<Index> columns;
      for (const Index k : stop.solution.active) {
        columns.push_back(standard.problem.columns[static_cast<std::size_t>(k)]);
      }
      report.path.push_back(
          path_point(std::move(columns), stop.solution.w, stop.solution.bias, standard.units));
    }
    if (progress && !progress({"path", stop.step + 1, place.step + 1,
                               stop.solution.point.log_likelihood, active})) {
      walk.stopped = true;
    }
    return !walk.stopped;
  };
  const auto left = part_of(options.checkpoint, "all rows");
  L1Solution start = empty;
  Index first = 0;
  if (const auto file = left ? left->found() : nullptr) {
    first = next_step(*file);
    start = walk.solution = read_solution(problem, *file);
    read_report(*file, report);
  }
  const auto done = [&](Index step, L1Solution& plain) {
    if (!left || !left->due(step + 1)) return;
    ContainerWriter file;
    add_solution(step, plain, file);
    add_report(report, file);
    left->leave(step + 1, file);
    plain = walk.solution = read_solution(problem, *left->found());
  };
  walk_path(problem, start, grid.head(place.step), 0, last, kL1Tolerance, first, done);
  if (walk.stopped) return walk;
  const L1Solution before = place.step > 0 ? walk.solution : empty;
  walk_path(problem, before, grid.segment(place.step, 1), place.reweighting, last);
  return walk;
}

/// How far down the grid a model is, and its weights.
struct SizedStep {
  Index step = 0;
  Index weights = 0;
};

/// For each number of reweightings: the largest model of at most `size` weights.
std::vector<SizedStep> steps_of_size(Index size, Index reweightings, const L1Problem& problem,
                                     const L1Solution& empty, const Vector& grid) {
  const auto count = static_cast<std::size_t>(reweightings) + 1;
  std::vector<SizedStep> found(count);
  std::vector<bool> beyond(count, false);
  walk_path(problem, empty, grid, reweightings, [&](const PathStop& stop) {
    const auto j = static_cast<std::size_t>(stop.reweighting);
    const auto weights = static_cast<Index>(stop.solution.active.size());
    beyond[j] = beyond[j] || weights > size;
    if (!beyond[j]) found[j] = {stop.step, weights};
    return !std::ranges::all_of(beyond, [](bool is) { return is; });
  });
  return found;
}

/// Whether the folds' scores are higher: `clearly`, by a standard error of their differences.
bool wins(const Vector& scores, const Vector& over, bool clearly) {
  const Vector gain = scores - over;
  const double mean = gain.mean();
  if (!clearly) return mean > 0;
  const auto count = static_cast<double>(gain.size());
  const double squares = (gain.array() - mean).square().sum();
  return mean > std::sqrt(squares / (count * std::max(count - 1, 1.0)));
}

/// The path and the number of reweightings whose model of at most `size` weights does best on the
/// folds. A reweighting more must win by a standard error of the folds' differences: at one given
/// size it is chosen for its luck otherwise. Where folds have ended before ℓ1's, since scores fell,
/// reweighting would only take more shrinkage away: then the ℓ2 terms alone are asked. Their λ are
/// farther apart: one whose model has less than three quarters of ℓ1's weights is none of that
/// size.
PathPlace place_of_size(Index size, const PathScores& scores, const PathPlan& plan,
                        const L1Problem& problem, const L1Solution& empty) {
  std::optional<PathPlace> best;
  Vector best_scores;
  SizedStep plain;
  for (Index ridge = 0; ridge <= plan.ridges; ++ridge) {
    const Index reweightings = plan.reweightings_of(ridge);
    const auto found = steps_of_size(size, reweightings, with_ridge(problem, ridge), empty,
                                     path_grid(empty.lambda, ridge));
    if (ridge == 0) plain = found.front();
    if (found.front().step >= scores.steps(ridge)) continue;
    if (4 * found.front().weights < 3 * plain.weights) continue;
    for (Index j = 0; j <= reweightings; ++j) {
      const PathPlace place{found[static_cast<std::size_t>(j)].step, j, ridge};
      if (place.step >= scores.steps(ridge)) continue;
      const Vector own = scores.scores_of_size(size, ridge, j);
      if (best && !wins(own, best_scores, j > best->reweighting)) continue;
      best = place;
      best_scores = own;
    }
  }
  return best.value_or(PathPlace{plain.step, 0, 0});
}

/// Where to stop, and a line on why.
PathPlace choose_place(const L1Problem& problem, const L1Solution& empty,
                       const EngineOptions& options, const ProgressCallback& progress,
                       PathOnFolds& result) {
  const bool sparse = dynamic_cast<const SparseDesign*>(&problem.phi) != nullptr;
  if (sparse && options.ridge && problem.phi.share()) {
    throw InputError(
        "the engine path over several processes walks the path of l1 and its reweightings alone: "
        "add --ridge off (its paths with an l2 term go from entry to entry of all rows)");
  }
  const PathPlan plan{options.reweightings, options.ridge && sparse ? kPathRidges : 0};
  const PathScores scores(problem, empty.lambda, plan, kPathFolds, options.seed, progress,
                          options.checkpoint);
  if (scores.stopped()) {
    result.fit.report.status = Status::stopped;
    return {};
  }
  const PathPlace place = options.size > 0
                              ? place_of_size(options.size, scores, plan, problem, empty)
                              : scores.choose(options.rule, options.max_features);
  if (options.size > 0) {
    result.losses = scores.losses(place);
    return place;
  }
  // What the path can do, be the stop the rule's or not.
  result.losses = scores.losses(PathRule::min, options.max_features);
  result.held_out = scores.held_out_values(PathRule::min, options.max_features);
  result.by_row = losses_by_row(problem, result.held_out);
  return place;
}

std::string place_note(const PathPlace& place, double lambda, double ridge) {
  const std::string term =
      place.ridge > 0 ? fmt::format(", l2 term {:.4g} per lambda", ridge) : std::string();
  return fmt::format("path: lambda {:.4g} of the largest, {} reweighting{}{}", lambda,
                     place.reweighting, place.reweighting == 1 ? "" : "s", term);
}

/// At the stop that is given, or that the folds choose.
PathOnFolds fit_at(const PathPlace* given, const Design& design, const Target& target,
                   const EngineOptions& options, const ProgressCallback& progress) {
  const Stopwatch stopwatch;
  validate(options);
  PathOnFolds result;
  Fit& fit = result.fit;
  std::vector<double>& losses = result.losses;
  const StandardProblem standard =
      with_callers_columns(design, target, options, fit.report.warnings);
  if (standard.units.target_scale == 0 || standard.problem.active() == 0) {
    fit = fit_exact(design, target, options, progress);  // nothing but a bias to learn
    return result;
  }
  const ActiveProblem& own = standard.problem;
  const L1Problem problem{*own.phi, own.likelihood, own.t, own.row_weights, options.bias};
  const L1Solution empty = empty_solution(problem);
  const PathPlace place = given ? *given : choose_place(problem, empty, options, progress, result);
  result.place = place;
  const L1Problem chosen = with_ridge(problem, place.ridge);
  const Vector grid = path_grid(empty.lambda, place.ridge);
  fit.report.notes.push_back(place_note(place, grid[place.step] / grid[0], chosen.ridge));
  const PathWalk walk =
      walk_to(place, chosen, empty, grid, standard, options, progress, fit.report);
  const bool stopped = fit.report.status == Status::stopped || walk.stopped;
  fit.report.status = stopped ? Status::stopped : Status::converged;
  const double loss = std::accumulate(losses.begin(), losses.end(), 0.0) / own.row_count();
  fit.posterior =
      path_posterior(walk.solution, walk.penalties, loss, standard, options, fit.report.warnings);
  const double scale = standard.units.target_scale;
  for (double& sum : losses) sum *= scale * scale;
  result.by_row *= scale * scale;
  fit.report.seconds = stopwatch.seconds();
  return result;
}

}  // namespace

PathOnFolds fit_path_on_folds(const Design& design, const Target& target,
                              const EngineOptions& options, const ProgressCallback& progress) {
  return fit_at(nullptr, design, target, options, progress);
}

Fit fit_path_at(const PathPlace& place, const Design& design, const Target& target,
                const EngineOptions& options, const ProgressCallback& progress) {
  return fit_at(&place, design, target, options, progress).fit;
}

double first_fold_l1_loss(const Design& design, const Target& target,
                          const EngineOptions& options) {
  std::vector<std::string> warnings;
  const StandardProblem standard = with_callers_columns(design, target, options, warnings);
  const ActiveProblem& own = standard.problem;
  const L1Problem problem{*own.phi, own.likelihood, own.t, own.row_weights, options.bias};
  const auto folds = target_folds(own.likelihood, own.t, kPathFolds, options.seed, own.row_weights,
                                  own.phi->share());
  const double scale = standard.units.target_scale;
  return l1_loss(problem, folds.front()) * scale * scale;
}

Fit fit_path(const Design& design, const Target& target, const EngineOptions& options,
             const ProgressCallback& progress) {
  return fit_path_on_folds(design, target, options, progress).fit;
}

}  // namespace ardent
