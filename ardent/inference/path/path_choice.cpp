#include "ardent/inference/path/path_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>

#include "ardent/base/in_turn.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/inference/path/saved_walk.h"

namespace ardent {
namespace {

constexpr Index kRaceSteps = 8;
constexpr double kRaceRatio = 1e-2;
constexpr double kRaceTolerance = 1e-2;
constexpr double kRaceShare = 0.02;  // weights for each row: more are not few
constexpr double kFoldTolerance = 1e-3;
constexpr std::array<double, kPathRidges> kRidgeShares{0.1, 1};
constexpr Index kMostRowsByRow = 10000;             // whose losses are kept for every stop
constexpr std::array<Index, 2> kPathSteps{60, 36};  // without and with an ℓ2 term
constexpr std::array<double, 2> kPathRatio{1e-3, 1.0 / 3000};
// Values of λ without a better score until a fold's walk ends.
constexpr std::array<Index, 2> kPathPatience{10, 5};

double loss_of_row(const L1Problem& problem, Index i, double f) {
  const double c = problem.row_weights[i];
  if (problem.likelihood == Likelihood::bernoulli) {
    return c * bernoulli::log1p_exp(problem.t[i] > 0.5 ? -f : f);
  }
  return c * (problem.t[i] - f) * (problem.t[i] - f);
}

double held_out_score(const L1Problem& problem, const std::vector<Index>& held_out,
                      const Vector& f) {
  double sum = 0;
  for (const Index i : held_out) sum -= loss_of_row(problem, i, f[i]);
  return problem.phi.over_rows(sum);
}

}  // namespace

double l1_loss(const L1Problem& problem, const Split& fold) {
  Vector weights = problem.row_weights;
  for (const Index i : fold.test) weights[i] = 0;
  const L1Problem own{problem.phi, problem.likelihood, problem.t, weights, problem.bias};
  L1Solution solution = empty_solution(own);
  double least = -held_out_score(problem, fold.test, solution.point.f);
  const Vector ones = Vector::Ones(problem.phi.cols());
  const auto most =
      static_cast<std::size_t>(kRaceShare * static_cast<double>(problem.phi.all_rows()));
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

Vector losses_by_row(const L1Problem& problem, const Vector& f) {
  Vector losses(f.size());
  for (Index i = 0; i < f.size(); ++i) losses[i] = loss_of_row(problem, i, f[i]);
  return losses;
}

Vector path_grid(double largest, Index ridge) {
  const std::size_t kind = ridge > 0 ? 1 : 0;
  return lambda_grid(largest, kPathSteps[kind], kPathRatio[kind]);
}

L1Problem with_ridge(const L1Problem& problem, Index ridge) {
  L1Problem own = problem;
  if (ridge == 0) return own;
  Vector square_norms;
  problem.phi.weighted_square_norms(problem.row_weights, square_norms);
  const double length =
      std::sqrt(square_norms.sum() / problem.phi.over_rows(problem.row_weights.sum()));
  own.ridge = kRidgeShares[static_cast<std::size_t>(ridge - 1)] * length;
  return own;
}

PathScores::PathScores(const L1Problem& problem, double largest, const PathPlan& plan, Index folds,
                       std::uint64_t seed, const ProgressCallback& progress,
                       const std::shared_ptr<StageCheckpoint>& checkpoint)
    : plan_(plan) {
  const std::vector<Split> parts = target_folds(problem.likelihood, problem.t, folds, seed,
                                                problem.row_weights, problem.phi.share());
  const Index paths = plan.ridges + 1;
  folds_.resize(parts.size());
  for (std::size_t s = 0; s < parts.size(); ++s) {
    folds_[s].walks.resize(static_cast<std::size_t>(paths));
    folds_[s].held_out = parts[s].test;
    for (const Index i : parts[s].test) folds_[s].rows += problem.row_weights[i];
    folds_[s].rows = problem.phi.over_rows(folds_[s].rows);
  }
  std::mutex mutex;
  parallel_for_unless(problem.phi.share(), std::ssize(parts) * paths, [&](Index k) {
    const Index s = k / paths, ridge = k % paths;
    const Vector grid = path_grid(largest, ridge);
    const auto proceed = [&](const PathStop& stop, double score) {
      const std::lock_guard lock(mutex);
      if (stopped_ || !progress) return !stopped_;
      const std::string task = fmt::format("fold {}/{}", s + 1, parts.size());
      const auto active = static_cast<Index>(stop.solution.active.size());
      stopped_ = !progress({task, stop.step + 1, grid.size(), score, active});
      return !stopped_;
    };
    const auto fold = static_cast<std::size_t>(s);
    const auto place = part_of(checkpoint, fmt::format("fold {}, path {}", s + 1, ridge + 1));
    folds_[fold].walks[static_cast<std::size_t>(ridge)] =
        walk(with_ridge(problem, ridge), grid, plan.reweightings_of(ridge), parts[fold].test,
             proceed, place.get());
  });
}

PathScores::Walk PathScores::walk(const L1Problem& problem, const Vector& grid, Index reweightings,
                                  const std::vector<Index>& held_out,
                                  const std::function<bool(const PathStop&, double score)>& proceed,
                                  StageCheckpoint* place) {
  Walk stops;
  Vector weights = problem.row_weights;
  for (const Index i : held_out) weights[i] = 0;
  const L1Problem own{problem.phi, problem.likelihood, problem.t,
                      weights,     problem.bias,       problem.ridge};
  L1Solution before;
  Index first = 0;
  if (const auto file = place ? place->found() : nullptr) {
    stops = stops_of(*file);
    if (file->about().at("ended").get<bool>()) return stops;
    first = next_step(*file);
    before = read_solution(own, *file);
  } else {
    before = empty_solution(own);
  }
  const Index patience = kPathPatience[problem.ridge > 0 ? 1 : 0];
  bool stopped = false;
  const auto visit = [&](const PathStop& stop) {
    if (stop.reweighting == 0) stops.emplace_back();
    const double score = held_out_score(problem, held_out, stop.solution.point.f);
    stops.back().push_back({score, static_cast<double>(stop.solution.active.size())});
    if (problem.t.size() <= kMostRowsByRow) {
      stops.back().back().f = stop.solution.point.f(held_out);
    }
    if (stop.reweighting == 0 && !proceed(stop, score)) {
      stopped = true;
      return false;
    }
    return stop.reweighting < reweightings || stop.step < best_step(stops) + patience;
  };
  const auto done = [&](Index step, L1Solution& plain) {
    if (!place || !place->due(step + 1)) return;
    leave(stops, step, plain, false, *place);
    plain = read_solution(own, *place->found());
  };
  walk_path(own, before, grid, reweightings, visit, kFoldTolerance, first, done);
  if (place && !stopped) leave(stops, std::ssize(stops), before, true, *place);
  return stops;
}

Index PathScores::best_step(const Walk& stops) {
  double best = -std::numeric_limits<double>::infinity();
  Index found = 0;
  for (Index step = 0; step < std::ssize(stops); ++step) {
    for (const Stop& stop : stops[static_cast<std::size_t>(step)]) {
      if (!(stop.score > best)) continue;
      best = stop.score;
      found = step;
    }
  }
  return found;
}

const PathScores::Stop& PathScores::Fold::at(const PathPlace& place) const {
  const Walk& walk = walks[static_cast<std::size_t>(place.ridge)];
  const auto step = std::min(static_cast<std::size_t>(place.step), walk.size() - 1);
  return walk[step][static_cast<std::size_t>(place.reweighting)];
}

Index PathScores::steps(Index ridge) const {
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (const Fold& fold : folds_) {
    fewest = std::min(fewest, fold.walks[static_cast<std::size_t>(ridge)].size());
  }
  return static_cast<Index>(fewest);
}

double PathScores::score(const PathPlace& place) const {
  double sum = 0, rows = 0;
  for (const Fold& fold : folds_) {
    sum += fold.at(place).score;
    rows += fold.rows;
  }
  return sum / rows;
}

Vector PathScores::scores_of_size(Index size, Index ridge, Index reweighting) const {
  Vector scores(std::ssize(folds_));
  for (std::size_t s = 0; s < folds_.size(); ++s) {
    PathPlace place{0, reweighting, ridge};
    const Index steps = std::ssize(folds_[s].walks[static_cast<std::size_t>(ridge)]);
    while (place.step + 1 < steps) {
      const PathPlace next{place.step + 1, reweighting, ridge};
      if (folds_[s].at(next).active > static_cast<double>(size)) break;
      place = next;
    }
    scores[static_cast<Index>(s)] = folds_[s].at(place).score / folds_[s].rows;
  }
  return scores;
}

double PathScores::mean_active(const PathPlace& place) const {
  double sum = 0;
  for (const Fold& fold : folds_) sum += fold.at(place).active;
  return sum / static_cast<double>(folds_.size());
}

double PathScores::standard_error(const PathPlace& place) const {
  double squares = 0;
  for (const Fold& fold : folds_) {
    const double off = fold.at(place).score / fold.rows - score(place);
    squares += off * off;
  }
  const auto count = static_cast<double>(folds_.size());
  return std::sqrt(squares / (count * std::max(count - 1, 1.0)));
}

std::vector<double> PathScores::losses(const PathPlace& place) const {
  std::vector<double> result;
  for (const Fold& fold : folds_) result.push_back(-fold.at(place).score);
  return result;
}

std::vector<double> PathScores::losses(PathRule rule, Index most) const {
  std::vector<double> result;
  for (std::size_t s = 0; s < folds_.size(); ++s) {
    result.push_back(-folds_[s].at(choose_without(s, rule, most)).score);
  }
  return result;
}

Vector PathScores::held_out_values(PathRule rule, Index most) const {
  std::size_t rows = 0;
  for (const Fold& fold : folds_) rows += fold.held_out.size();
  if (rows > static_cast<std::size_t>(kMostRowsByRow)) return {};
  Vector result(static_cast<Index>(rows));
  for (std::size_t s = 0; s < folds_.size(); ++s) {
    result(folds_[s].held_out) = folds_[s].at(choose_without(s, rule, most)).f;
  }
  return result;
}

PathPlace PathScores::choose_without(std::size_t fold, PathRule rule, Index most) const {
  PathScores others = *this;
  others.folds_.erase(others.folds_.begin() + static_cast<std::ptrdiff_t>(fold));
  return others.choose(rule, most);
}

PathPlace PathScores::choose(PathRule rule, Index most) const {
  std::vector<PathPlace> places;
  for (Index ridge = 0; ridge <= plan_.ridges; ++ridge) {
    for (Index step = 0; step < steps(ridge); ++step) {
      for (Index j = 0; j <= plan_.reweightings_of(ridge); ++j) {
        const PathPlace place{step, j, ridge};
        if (most == 0 || mean_active(place) <= static_cast<double>(most)) places.push_back(place);
      }
    }
  }
  const auto worse = [&](const PathPlace& a, const PathPlace& b) { return score(a) < score(b); };
  const PathPlace best = *std::max_element(places.begin(), places.end(), worse);
  if (rule == PathRule::min) return best;
  const double enough = score(best) - standard_error(best);
  PathPlace fewest = best;
  for (const PathPlace& place : places) {
    if (score(place) >= enough && mean_active(place) < mean_active(fewest)) fewest = place;
  }
  return fewest;
}

}  // namespace ardent
