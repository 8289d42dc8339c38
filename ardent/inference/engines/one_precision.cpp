#include "ardent/inference/engines/one_precision.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/inference/evidence/noise_prior.h"
#include "ardent/inference/evidence/precision_update.h"
#include "ardent/inference/path/strength_walk.h"

namespace ardent {
namespace {

constexpr double kLeastTied = 1e-9, kMostTied = 1e9;
constexpr double kLongestSecant = 4;    // times MacKay's step
constexpr double kWorthADecade = 0.01;  // nats, of all rows together
constexpr int kMostDecades = 6;
constexpr double kLargestLeverage = 1 - 1e-9;

/// What the search carries from state to state.
struct TiedCourse {
  double first_alpha = 1;
  bool settled = false;      // was learnt before
  bool ends = false;         // at the state that is asked for now
  std::vector<double> seen;  // MacKay's last step; of classes the losses so far

  std::vector<double> numbers() const {
    std::vector<double> all{first_alpha, settled ? 1.0 : 0.0, ends ? 1.0 : 0.0};
    all.insert(all.end(), seen.begin(), seen.end());
    return all;
  }
  static TiedCourse of(const std::vector<double>& n) {
    if (n.size() < 3) throw InputError("a checkpoint of one precision has other numbers");
    return {n[0], n[1] != 0, n[2] != 0, {n.begin() + 3, n.end()}};
  }
};

/// Where the state wants to go, and how far in logarithms; nothing: no farther than the tolerance.
std::optional<Precisions> next_by_evidence(const EvidenceState& state, double tolerance,
                                           TiedCourse& course, double& change) {
  const double log_alpha = elementary::log(state.precisions.alpha[0]);
  const double spent = state.relevance.gamma.sum(), squares = state.w.squaredNorm();
  const double wanted = spent < kMostTied * squares ? spent / squares : kMostTied;
  const double step = elementary::log(std::max(wanted, kLeastTied)) - log_alpha;
  const double free = state.problem.row_count() - spent - state.relevance.bias_gamma;
  const double noise = std::max(best_noise_variance(state.mode.square_sum, free), kNoiseFloor);
  const double noise_step = elementary::log(noise / state.precisions.noise_variance);
  change = std::max(std::abs(step), std::abs(noise_step));
  if (change < tolerance) return std::nullopt;
  // As much farther as the steps shrink from stage to stage.
  const double shrunk = course.seen.empty() ? 0 : step / course.seen[0];
  const double farther = shrunk > 0 && shrunk < 1 ? 1 / (1 - shrunk) : 1;
  course.seen = {step};
  const double alpha = elementary::exp(log_alpha + std::min(farther, kLongestSecant) * step);
  return Precisions{Vector::Constant(state.w.size(), std::clamp(alpha, kLeastTied, kMostTied)),
                    noise};
}

/// The decade to ask next, by the losses of those so far: 0, −1, −2, … or 0, −1, 1, 2, …; and
/// whether it is the last one. `settled`: 0 is what was learnt before, and stays where it is best.
double next_decade(const std::vector<double>& losses, bool settled, bool& last) {
  const int count = static_cast<int>(losses.size());
  last = false;
  if (count == 1) return -1;
  const auto better = [&](int k, int than) { return losses[k] < losses[than] - kWorthADecade; };
  const bool down = better(1, 0);
  const auto decade = [&](int k) { return down || k < 2 ? -k : k - 1; };
  if (!down && count == 2) return 1;
  const int nearer = !down && count == 3 ? 0 : count - 2;  // beside the one asked last
  const int here = decade(count - 1);
  const bool farther = better(count - 1, nearer);
  if (farther && std::abs(here) < kMostDecades) return down ? here - 1 : here + 1;
  last = true;
  const int best = decade(farther ? count - 1 : nearer);
  if (settled && best == 0) return 0;
  std::optional<double> at[3];
  for (int k = 0; k < count; ++k) {
    if (std::abs(decade(k) - best) <= 1) at[decade(k) - best + 1] = losses[k];
  }
  if (!at[0] || !at[2]) return best;
  return best + parabola_minimum(*at[0], std::min({*at[0], *at[1], *at[2]}), *at[2]);
}

std::optional<Precisions> next_by_left_out_rows(const EvidenceState& state, TiedCourse& course,
                                                double& change) {
  change = 0;
  if (course.ends) return std::nullopt;
  course.seen.push_back(left_out_loss(state));
  const double decade = next_decade(course.seen, course.settled, course.ends);
  const double alpha = course.first_alpha * elementary::exp(elementary::log(10.0) * decade);
  change = std::abs(elementary::log(alpha / state.precisions.alpha[0]));
  return Precisions{Vector::Constant(state.w.size(), alpha), state.precisions.noise_variance};
}

}  // namespace

double left_out_loss(const EvidenceState& state) {
  const ActiveProblem& problem = state.problem;
  const Vector& f = state.mode.predictor.fitted;
  const Vector leverages = state.space->leverages();
  double sum = 0;
  for (Index i = 0; i < f.size(); ++i) {
    const double count = problem.row_weights.size() > 0 ? problem.row_weights[i] : 1;
    const double share = std::min(leverages[i] / std::max(count, 1.0), kLargestLeverage);
    const bernoulli::Shares p = bernoulli::shares(f[i]);
    const double error = problem.t[i] > 0.5 ? p.not_y : -p.y, curvature = p.y * p.not_y;
    const double moved = curvature > 0 ? share * error / (curvature * (1 - share)) : 0;
    const double left_out = f[i] - moved;
    sum += count * bernoulli::log1p_exp(problem.t[i] > 0.5 ? -left_out : left_out);
  }
  return sum;
}

EvidenceState tied_state(const ActiveProblem& problem, double alpha, double noise,
                         const EngineOptions& options, const EvidenceState* near) {
  EvidenceState state = evaluate(problem, {Vector::Constant(problem.active(), alpha), noise},
                                 options, near ? &near->mode : nullptr, near ? &near->w : nullptr);
  find_relevance(state);
  return state;
}

EvidenceState learn_one_precision(const ActiveProblem& problem, const Precisions& first,
                                  bool settled, const EngineOptions& options,
                                  const std::shared_ptr<StageCheckpoint>& place,
                                  const OnTiedState& on_state, Report& report) {
  const ClimbCheckpoint checkpoint(place, problem, options);
  TiedCourse course{first.alpha[0], settled, false, {}};
  EvidenceState state;
  if (auto left = checkpoint.found()) {
    state = std::move(left->state);
    report = std::move(left->report);
    course = TiedCourse::of(left->carried);
  } else {
    state = tied_state(problem, first.alpha[0], first.noise_variance, options);
  }
  for (;;) {
    double change = 0;
    const auto next = problem.likelihood == Likelihood::gaussian
                          ? next_by_evidence(state, options.tolerance, course, change)
                          : next_by_left_out_rows(state, course, change);
    if (!on_state(state, change) || !next) return state;
    state = tied_state(problem, next->alpha[0], next->noise_variance, options, &state);
    const Index stage = std::ssize(report.stages);
    if (!checkpoint.due(stage)) continue;
    state = checkpoint.renewed(stage, state, course.numbers(), report).state;
  }
}

}  // namespace ardent
