#include "ardent/inference/path/strength_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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

constexpr double kScaleSpread = 0.5;  // a priori, of the logarithm of f's scale
constexpr double kLongestScaleStep = 0.5;
constexpr double kScaleTolerance = 1e-6;
constexpr int kMostScaleSteps = 30;

/// Σ c log loss of the rows that each fold holds out, f being `scale` times `held_out`.
Lanes held_out_losses(const ActiveProblem& problem, const std::vector<Split>& folds,
                      const Vector& held_out, double scale) {
  Lanes sums = Lanes::Zero(std::ssize(folds));
  for (Index l = 0; l < sums.size(); ++l) {
    for (const Index i : folds[static_cast<std::size_t>(l)].test) {
      const double f = scale * held_out[i];
      sums[l] += problem.row_weights[i] * bernoulli::log1p_exp(problem.t[i] > 0.5 ? -f : f);
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

/// −log of the prior of a scale, less its constant.
double scale_cost(double scale) {
  const double off = elementary::log(scale) / kScaleSpread;
  return 0.5 * off * off;
}

/// Where the losses are least: the minimum of the parabola through the best strength of the grid
/// and its neighbours, and the scale that the parabola through theirs has there.
void settle(const std::vector<double>& totals, double rows, StrengthChoice& choice) {
  const std::size_t best = least(totals);
  const bool inside = best > 0 && best + 1 < totals.size();
  const double shift =
      inside ? parabola_minimum(totals[best - 1], totals[best], totals[best + 1]) : 0;
  choice.strength = choice.strengths[best] * elementary::exp(-kLogStep * shift);
  choice.scale = choice.scales[best];
  if (inside) {
    const auto log_scale = [&](std::size_t s) { return elementary::log(choice.scales[s]); };
    const double a = log_scale(best - 1), b = log_scale(best), c = log_scale(best + 1);
    const double there = b + shift * ((c - a) / 2 + shift * (a - 2 * b + c) / 2);
    choice.scale = elementary::exp(std::max(there, 0.0));
  }
  choice.loss = choice.scores[best].sum() / rows;
  choice.losses = others_choice(choice.scores);
}

}  // namespace

double parabola_minimum(double before, double least, double after) {
  const double bend = before - 2 * least + after;
  return bend > 0 ? (before - after) / (2 * bend) : 0;
}

double likeliest_scale(const Vector& t, const Vector& f, const Vector& row_weights) {
  constexpr double kPrecision = 1 / (kScaleSpread * kScaleSpread);
  double u = 0;  // log s
  for (int step = 0; step < kMostScaleSteps; ++step) {
    const double s = elementary::exp(u);
    double slope = kPrecision * u, bend = kPrecision;  // of −log p by u; Gauss and Newton's
    for (Index i = 0; i < f.size(); ++i) {
      const auto [y, not_y] = bernoulli::shares(s * f[i]);
      const double c = row_weights[i], pull = s * f[i];
      slope -= c * pull * (t[i] > 0.5 ? not_y : -y);
      bend += c * pull * pull * y * not_y;
    }
    const double moved = u + std::clamp(-slope / bend, -kLongestScaleStep, kLongestScaleStep);
    const double before = std::exchange(u, std::max(moved, 0.0));
    if (std::abs(u - before) < kScaleTolerance) break;
  }
  return elementary::exp(u);
}

StrengthChoice choose_strength(const ActiveProblem& problem, Index fold_count,
                               const EngineOptions& options, const ProgressCallback& progress,
                               const StrengthQuestion& question) {
  const std::optional<double>& given = question.given;
  const auto counts = (problem.row_weights.array() > 0).cast<double>();
  const double ones = (counts * problem.t.array()).sum(), others = counts.sum() - ones;
  if (given && std::min(ones, others) < 2) return without_folds(problem, *given, options.bias);
  const auto folds =
      target_folds(problem.likelihood, problem.t, fold_count, options.seed, problem.row_weights);
  LockstepRidge ridge(*problem.phi, problem.t, training_weights(problem, folds), options.bias,
                      options.bias_precision);
  const double unit = mean_square_length(problem);
  StrengthChoice choice;
  std::vector<double> as_they_are, scaled;  // the losses' sums
  RidgePoint before = ridge.point();
  const std::vector<double> grid = strength_grid(given);
  for (const double strength : grid) {
    const RidgePoint start = ridge.point();
    ridge.set_point(extrapolated(before, start));
    before = start;
    ridge.minimise(strength * unit, kOnFolds);
    const Vector f = held_out_values(folds, ridge.point().f);
    const double scale = question.scaled ? likeliest_scale(problem.t, f, problem.row_weights) : 1;
    choice.strengths.push_back(strength);
    choice.scales.push_back(scale);
    choice.scores.push_back(held_out_losses(problem, folds, f, scale));
    as_they_are.push_back(held_out_losses(problem, folds, f, 1).sum());
    scaled.push_back(choice.scores.back().sum() + scale_cost(scale));
    if (least(scaled) + 1 == scaled.size()) {
      choice.start = mean_lane(ridge.point());
      choice.held_out = f;
    }
    const ProgressEvent event{"folds",          std::ssize(scaled),
                              std::ssize(grid), -scaled.back(),
                              problem.active(), "log likelihood of held-out rows"};
    choice.stopped = progress && !progress(event);
    if (choice.stopped || as_they_are.size() > least(as_they_are) + kStrengthPatience) break;
  }
  settle(scaled, problem.row_count(), choice);
  choice.alpha = choice.strength * unit;
  return choice;
}

}  // namespace ardent
