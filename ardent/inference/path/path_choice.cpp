#include "ardent/inference/path/path_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "ardent/base/parallel.h"
#include "ardent/inference/evidence/bernoulli.h"

namespace ardent {
namespace {

constexpr Index kRaceSteps = 8;
constexpr double kRaceRatio = 1e-2;
constexpr double kRaceTolerance = 1e-2;
constexpr double kRaceShare = 0.02;  // weights for each row: more are not few
constexpr double kFoldTolerance = 1e-3;
constexpr Index kPathPatience = 10;  // values of λ without a better score until a fold's walk ends

double held_out_score(const L1Problem& problem, const std::vector<Index>& held_out,
                      const Vector& f) {
  double sum = 0;
  for (const Index i : held_out) {
    const double c = problem.row_weights[i];
    if (problem.likelihood == Likelihood::bernoulli) {
      sum -= c * bernoulli::log1p_exp(problem.t[i] > 0.5 ? -f[i] : f[i]);
    } else {
      sum -= c * (problem.t[i] - f[i]) * (problem.t[i] - f[i]);
    }
  }
  return sum;
}

}  // namespace

double l1_loss(const L1Problem& problem, const Split& fold) {
  Vector weights = problem.row_weights;
  for (const Index i : fold.test) weights[i] = 0;
  const L1Problem own{problem.phi, problem.likelihood, problem.t, weights, problem.bias};
  L1Solution solution = empty_solution(own);
  double least = -held_out_score(problem, fold.test, solution.point.f);
  const Vector ones = Vector::Ones(problem.phi.cols());
  const auto most = static_cast<std::size_t>(kRaceShare * static_cast<double>(weights.size()));
  const Vector grid = lambda_grid(solution.lambda, kRaceSteps + 1, kRaceRatio);
  for (const double lambda : grid.tail(kRaceSteps)) {
    solution = solve_l1(own, lambda, ones, solution, kRaceTolerance);
    const double loss = -held_out_score(problem, fold.test, solution.point.f);
    if (solution.active.size() > most) return std::min(least, loss);
    if (loss > least) break;
    least = loss;
  }
  return least;
}

PathScores::PathScores(const L1Problem& problem, const Vector& grid, Index reweightings,
                       Index folds, std::uint64_t seed, const ProgressCallback& progress)
    : reweightings_(reweightings) {
  const std::vector<Split> parts =
      target_folds(problem.likelihood, problem.t, folds, seed, problem.row_weights);
  folds_.resize(parts.size());
  std::mutex mutex;
  parallel_for(std::ssize(parts), [&](Index s) {
    const auto proceed = [&](const PathStop& stop, double score) {
      const std::lock_guard lock(mutex);
      if (stopped_ || !progress) return !stopped_;
      const std::string task = fmt::format("fold {}/{}", s + 1, parts.size());
      const auto active = static_cast<Index>(stop.solution.active.size());
      stopped_ = !progress({task, stop.step + 1, grid.size(), score, active});
      return !stopped_;
    };
    const auto fold = static_cast<std::size_t>(s);
    folds_[fold] = walk(problem, grid, reweightings, parts[fold].test, proceed);
  });
}

PathScores::Fold PathScores::walk(
    const L1Problem& problem, const Vector& grid, Index reweightings,
    const std::vector<Index>& held_out,
    const std::function<bool(const PathStop&, double score)>& proceed) {
  Fold fold;
  Vector weights = problem.row_weights;
  for (const Index i : held_out) {
    fold.rows += weights[i];
    weights[i] = 0;
  }
  const L1Problem own{problem.phi, problem.likelihood, problem.t, weights, problem.bias};
  double best = -std::numeric_limits<double>::infinity();
  Index best_step = 0;
  const auto visit = [&](const PathStop& stop) {
    if (stop.reweighting == 0) {
      fold.score.emplace_back();
      fold.active.emplace_back();
    }
    const double score = held_out_score(problem, held_out, stop.solution.point.f);
    fold.score.back().push_back(score);
    fold.active.back().push_back(static_cast<double>(stop.solution.active.size()));
    if (score > best) {
      best = score;
      best_step = stop.step;
    }
    if (stop.reweighting == 0 && !proceed(stop, score)) return false;
    return stop.reweighting < reweightings || stop.step < best_step + kPathPatience;
  };
  walk_path(own, empty_solution(own), grid, reweightings, visit, kFoldTolerance);
  return fold;
}

Index PathScores::steps() const {
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (const Fold& fold : folds_) fewest = std::min(fewest, fold.score.size());
  return static_cast<Index>(fewest);
}

double PathScores::score(const PathPlace& place) const {
  double sum = 0, rows = 0;
  for (const Fold& fold : folds_) {
    sum += fold.score[static_cast<std::size_t>(place.step)]
                     [static_cast<std::size_t>(place.reweighting)];
    rows += fold.rows;
  }
  return sum / rows;
}

double PathScores::loss(const Fold& fold, const PathPlace& place) {
  const auto step = std::min(static_cast<std::size_t>(place.step), fold.score.size() - 1);
  return -fold.score[step][static_cast<std::size_t>(place.reweighting)];
}

std::vector<double> PathScores::losses(const PathPlace& place) const {
  std::vector<double> result;
  for (const Fold& fold : folds_) result.push_back(loss(fold, place));
  return result;
}

std::vector<double> PathScores::losses(PathRule rule, Index most) const {
  std::vector<double> result;
  for (std::size_t s = 0; s < folds_.size(); ++s) {
    PathScores others = *this;
    others.folds_.erase(others.folds_.begin() + static_cast<std::ptrdiff_t>(s));
    result.push_back(loss(folds_[s], others.choose(rule, most)));
  }
  return result;
}

PathPlace PathScores::choose(PathRule rule, Index most) const {
  const auto mean_active = [&](const PathPlace& place) {
    double sum = 0;
    for (const Fold& fold : folds_) {
      sum += fold.active[static_cast<std::size_t>(place.step)]
                        [static_cast<std::size_t>(place.reweighting)];
    }
    return sum / static_cast<double>(folds_.size());
  };
  std::vector<PathPlace> places;
  for (Index step = 0; step < steps(); ++step) {
    for (Index j = 0; j <= reweightings_; ++j) {
      if (most == 0 || mean_active({step, j}) <= static_cast<double>(most))
        places.push_back({step, j});
    }
  }
  const auto worse = [&](const PathPlace& a, const PathPlace& b) { return score(a) < score(b); };
  const PathPlace best = *std::max_element(places.begin(), places.end(), worse);
  if (rule == PathRule::min) return best;
  double squares = 0;
  for (const Fold& fold : folds_) {
    const double own = fold.score[static_cast<std::size_t>(best.step)]
                                 [static_cast<std::size_t>(best.reweighting)] /
                       fold.rows;
    squares += (own - score(best)) * (own - score(best));
  }
  const auto count = static_cast<double>(folds_.size());
  const double error = std::sqrt(squares / (count * std::max(count - 1, 1.0)));
  PathPlace fewest = best;
  for (const PathPlace& place : places) {
    if (score(place) >= score(best) - error && mean_active(place) < mean_active(fewest))
      fewest = place;
  }
  return fewest;
}

}  // namespace ardent
