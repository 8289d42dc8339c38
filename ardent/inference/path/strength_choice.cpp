#include "ardent/inference/path/strength_choice.h"

#include <algorithm>

#include "ardent/base/elementary.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/inference/path/path_choice.h"
#include "ardent/inference/path/saved_lanes.h"
#include "ardent/inference/saved_report.h"

namespace ardent {
namespace {

constexpr Index kMostKeptRows = 10000;  // whose losses are kept for every strength
constexpr RidgePrecision kOnFolds{.tolerance = 1e-3, .forcing = 0.3};

/// c log loss of each row by the fold that holds it out.
Vector losses_of_rows(const ActiveProblem& problem, const Vector& held_out) {
  Vector losses(held_out.size());
  for (Index i = 0; i < losses.size(); ++i) {
    const double at = problem.t[i] > 0.5 ? -held_out[i] : held_out[i];
    losses[i] = problem.row_weights[i] * bernoulli::log1p_exp(at);
  }
  return losses;
}

/// Their sums.
Lanes losses_of_folds(const ActiveProblem& problem, const std::vector<Split>& folds,
                      const Vector& by_row) {
  Lanes sums = Lanes::Zero(std::ssize(folds));
  for (Index l = 0; l < sums.size(); ++l) {
    for (const Index i : folds[static_cast<std::size_t>(l)].test) sums[l] += by_row[i];
  }
  if (const RowShare* share = problem.phi->share()) {
    share->sum({sums.data(), static_cast<std::size_t>(sums.size())});
  }
  return sums;
}

RowMatrix training_weights(const ActiveProblem& problem, const std::vector<Split>& folds) {
  RowMatrix weights = problem.row_weights.replicate(1, std::ssize(folds));
  for (std::size_t l = 0; l < folds.size(); ++l) {
    for (const Index i : folds[l].test) weights(i, static_cast<Index>(l)) = 0;
  }
  return weights;
}

RidgePoint mean_lane(const RidgePoint& point) {
  return {point.a.rowwise().mean(), point.f.rowwise().mean(), Lanes::Constant(1, point.b.mean())};
}

/// As far again as from `before` to here: along the strengths weights grow evenly.
RidgePoint extrapolated(const RidgePoint& before, const RidgePoint& here) {
  return {2 * here.a - before.a, 2 * here.f - before.f, 2 * here.b - before.b};
}

/// α of strength 1: what ‖φ_i‖² is on average.
double mean_square_length(const ActiveProblem& problem) {
  Vector square_norms;
  problem.phi->weighted_square_norms(problem.row_weights, square_norms);
  return square_norms.sum() / problem.row_count();
}

/// f of each row by the lane that does not know it.
Vector held_out_values(const std::vector<Split>& folds, const RowMatrix& f) {
  Vector values(f.rows());
  for (Index l = 0; l < f.cols(); ++l) {
    for (const Index i : folds[static_cast<std::size_t>(l)].test) values[i] = f(i, l);
  }
  return values;
}

/// Where there is no second row of a class to hold out.
StrengthChoice without_folds(const ActiveProblem& problem, double strength, bool bias) {
  StrengthChoice choice;
  choice.strength = strength;
  choice.alpha = strength * mean_square_length(problem);
  const double ones = problem.phi->over_rows(problem.row_weights.dot(problem.t));
  const double odds = bias ? elementary::log(ones / (problem.row_count() - ones)) : 0;
  choice.held_out = Vector::Constant(problem.t.size(), odds);
  return choice;
}

/// What a walk leaves: where the lanes are after these strengths, and what is best so far.
void leave_walk(const LockstepRidge& ridge, const StrengthWalk& walk, const StrengthChoice& choice,
                bool ended, StageCheckpoint& place) {
  ContainerWriter file;
  file.about = {{"strengths", walk.steps()}, {"ended", ended}};
  walk.add_to(file);
  if (!ended) add_point("lanes", ridge.point(), file);
  add_point("best", choice.start, file);
  file.add("held_out", buffer_of(choice.held_out));
  place.leave(walk.steps(), file, StateOf::rows);
}

/// Goes on from there. True: the walk had ended.
bool take_up_walk(const Container& file, const ActiveProblem& problem, LockstepRidge& ridge,
                  StrengthWalk& walk, StrengthChoice& choice) {
  const auto strengths = file.about().at("strengths").get<Index>();
  const bool ended = file.about().at("ended").get<bool>();
  walk = StrengthWalk(walk.grid(), strengths, std::ssize(ridge.point().b), file);
  if (!ended) ridge.set_point(read_point("lanes", *problem.phi, file));
  choice.start = read_point("best", *problem.phi, file);
  const std::vector<double> held_out = file.list<double>("held_out");
  choice.held_out = Eigen::Map<const Vector>(held_out.data(), std::ssize(held_out));
  return ended;
}

/// Newton's method on all folds at once, strength by strength (lockstep_ridge.h).
void walk_classes(const ActiveProblem& problem, const std::vector<Split>& folds, double unit,
                  const EngineOptions& options, const ProgressCallback& progress,
                  StrengthWalk& walk, StrengthChoice& choice) {
  LockstepRidge ridge(*problem.phi, problem.t, training_weights(problem, folds), options.bias,
                      options.bias_precision);
  const auto place = part_of(options.checkpoint, "strengths");
  const auto left = place ? place->found() : nullptr;
  if (left && take_up_walk(*left, problem, ridge, walk, choice)) return;
  RidgePoint before = ridge.point();
  const bool keeps_rows = problem.t.size() <= kMostKeptRows;
  while (walk.steps() < std::ssize(walk.grid())) {
    const double strength = walk.grid()[static_cast<std::size_t>(walk.steps())];
    const RidgePoint start = ridge.point();
    ridge.set_point(extrapolated(before, start));
    before = start;
    ridge.minimise(strength * unit, kOnFolds);
    Vector held_out = held_out_values(folds, ridge.point().f);
    Vector by_row = losses_of_rows(problem, held_out);
    const Lanes losses = losses_of_folds(problem, folds, by_row);
    walk.add(losses, keeps_rows ? std::move(by_row) : Vector());
    if (walk.last_is_best()) {
      choice.start = mean_lane(ridge.point());
      choice.held_out = std::move(held_out);
    }
    const ProgressEvent event{
        "folds",           walk.steps(),     std::ssize(walk.grid()),
        -walk.last_loss(), problem.active(), "log likelihood of held-out rows"};
    choice.stopped = progress && !progress(event);
    if (choice.stopped) return;
    if (walk.ends()) break;
    if (!place || !place->due(walk.steps())) continue;
    leave_walk(ridge, walk, choice, false, *place);
    take_up_walk(*place->found(), problem, ridge, walk, choice);
    before = ridge.point();
  }
  if (!place) return;
  leave_walk(ridge, walk, choice, true, *place);
  take_up_walk(*place->found(), problem, ridge, walk, choice);
}

/// A regression: every strength from one factorisation (ridge_family.h).
void walk_regression(const ActiveProblem& problem, const RidgeFamily& family,
                     const std::vector<Split>& folds, double unit, StrengthWalk& walk) {
  for (const double strength : walk.grid()) {
    Vector by_row = family.held_out_losses(strength * unit, folds);
    const Lanes losses = losses_of_folds(problem, folds, by_row);
    walk.add(losses, std::move(by_row));
    if (walk.ends()) break;
  }
}

/// What the walk has found, as it is asked for.
void take_choice(const StrengthWalk& walk, const std::vector<Split>& folds, double unit,
                 double rows, StrengthChoice& choice) {
  static_cast<StrengthScores&>(choice) = walk.choice(folds);
  choice.alpha = choice.strength * unit;
  choice.loss /= rows;
}

}  // namespace

StrengthChoice choose_strength(const ActiveProblem& problem, Index fold_count,
                               const EngineOptions& options, const ProgressCallback& progress,
                               const std::optional<double>& given) {
  const auto counts = (problem.row_weights.array() > 0).cast<double>();
  const double ones = problem.phi->over_rows((counts * problem.t.array()).sum());
  const double others = problem.phi->over_rows(counts.sum()) - ones;
  if (given && std::min(ones, others) < 2) return without_folds(problem, *given, options.bias);
  const auto folds = target_folds(problem.likelihood, problem.t, fold_count, options.seed,
                                  problem.row_weights, problem.phi->share());
  const double unit = mean_square_length(problem);
  StrengthChoice choice;
  StrengthWalk walk(given);
  walk_classes(problem, folds, unit, options, progress, walk, choice);
  take_choice(walk, folds, unit, problem.row_count(), choice);
  return choice;
}

StrengthChoice choose_strength(const ActiveProblem& problem, const RidgeFamily& family,
                               Index fold_count, const EngineOptions& options) {
  const auto folds = target_folds(problem.likelihood, problem.t, fold_count, options.seed,
                                  problem.row_weights, nullptr);
  const double unit = mean_square_length(problem);
  StrengthChoice choice;
  StrengthWalk walk;
  walk_regression(problem, family, folds, unit, walk);
  take_choice(walk, folds, unit, problem.row_count(), choice);
  return choice;
}

}  // namespace ardent
