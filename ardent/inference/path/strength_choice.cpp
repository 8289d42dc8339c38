#include "ardent/inference/path/strength_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ardent/base/elementary.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/inference/path/path_choice.h"

namespace ardent {
namespace {

constexpr double kStrongest = 100;
constexpr double kWeakestStrength = 1e-6;
constexpr double kLogStep = 1.1512925464970229;  // log √10
constexpr std::size_t kStrengthPatience = 2;     // strengths in a row that are no better
constexpr RidgePrecision kOnFolds{.tolerance = 1e-3, .forcing = 0.3};

/// Σ c log loss of the rows that each fold holds out.
Lanes held_out_losses(const ActiveProblem& problem, const std::vector<Split>& folds,
                      const RowMatrix& f) {
  Lanes sums = Lanes::Zero(f.cols());
  for (Index l = 0; l < f.cols(); ++l) {
    for (const Index i : folds[static_cast<std::size_t>(l)].test) {
      const double at = problem.t[i] > 0.5 ? -f(i, l) : f(i, l);
      sums[l] += problem.row_weights[i] * bernoulli::log1p_exp(at);
    }
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

std::size_t least(const std::vector<double>& losses) {
  return static_cast<std::size_t>(std::ranges::min_element(losses) - losses.begin());
}

/// α of strength 1: what ‖φ_i‖² is on average.
double mean_square_length(const ActiveProblem& problem) {
  Vector square_norms;
  problem.phi->weighted_square_norms(problem.row_weights, square_norms);
  return square_norms.sum() / problem.row_count();
}

/// Of each fold at the strength that is best for the others.
std::vector<double> others_choice(const std::vector<Lanes>& scores) {
  std::vector<double> result;
  for (Index l = 0; l < scores.front().size(); ++l) {
    std::vector<double> others;
    for (const Lanes& all : scores) others.push_back(all.sum() - all[l]);
    result.push_back(scores[least(others)][l]);
  }
  return result;
}

/// From the strongest on; or the one that is given.
std::vector<double> strength_grid(const std::optional<double>& given) {
  if (given) return {*given};
  const auto steps =
      static_cast<Index>(std::lround(elementary::log(kStrongest / kWeakestStrength) / kLogStep));
  std::vector<double> grid;
  for (Index step = 0; step <= steps; ++step) {
    grid.push_back(kStrongest * elementary::exp(-kLogStep * static_cast<double>(step)));
  }
  return grid;
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
  const double ones = problem.row_weights.dot(problem.t);
  const double odds = bias ? elementary::log(ones / (problem.row_count() - ones)) : 0;
  choice.held_out = Vector::Constant(problem.t.size(), odds);
  return choice;
}

}  // namespace

double parabola_minimum(double before, double least, double after) {
  const double bend = before - 2 * least + after;
  return bend > 0 ? (before - after) / (2 * bend) : 0;
}

StrengthChoice choose_strength(const ActiveProblem& problem, Index fold_count,
                               const EngineOptions& options, const ProgressCallback& progress,
                               const std::optional<double>& given) {
  const auto counts = (problem.row_weights.array() > 0).cast<double>();
  const double ones = (counts * problem.t.array()).sum(), others = counts.sum() - ones;
  if (given && std::min(ones, others) < 2) return without_folds(problem, *given, options.bias);
  const auto folds =
      target_folds(problem.likelihood, problem.t, fold_count, options.seed, problem.row_weights);
  LockstepRidge ridge(*problem.phi, problem.t, training_weights(problem, folds), options.bias,
                      options.bias_precision);
  const double unit = mean_square_length(problem);
  StrengthChoice choice;
  std::vector<double> totals;
  RidgePoint before = ridge.point();
  const std::vector<double> grid = strength_grid(given);
  for (const double strength : grid) {
    const RidgePoint start = ridge.point();
    ridge.set_point(extrapolated(before, start));
    before = start;
    ridge.minimise(strength * unit, kOnFolds);
    choice.strengths.push_back(strength);
    choice.scores.push_back(held_out_losses(problem, folds, ridge.point().f));
    totals.push_back(choice.scores.back().sum());
    const std::size_t best = least(totals);
    if (best + 1 == totals.size()) {
      choice.start = mean_lane(ridge.point());
      choice.held_out = held_out_values(folds, ridge.point().f);
    }
    const ProgressEvent event{"folds",          std::ssize(totals),
                              std::ssize(grid), -totals.back(),
                              problem.active(), "log likelihood of held-out rows"};
    choice.stopped = progress && !progress(event);
    if (choice.stopped || totals.size() > best + kStrengthPatience) break;
  }
  const std::size_t best = least(totals);
  const bool inside = best > 0 && best + 1 < totals.size();
  const double shift =
      inside ? parabola_minimum(totals[best - 1], totals[best], totals[best + 1]) : 0;
  choice.strength = choice.strengths[best] * elementary::exp(-kLogStep * shift);
  choice.alpha = choice.strength * unit;
  choice.loss = totals[best] / problem.row_count();
  choice.losses = others_choice(choice.scores);
  return choice;
}

}  // namespace ardent
